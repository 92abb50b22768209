/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Answers that are kept in memory, ready to be sent: those about runs that are over, which never change, and lists of
 * runs until something changes in them. A bounded number of octets; what was not asked for longest goes first.
 */
#ifndef WEB_HTTP_KEPT_H
#define WEB_HTTP_KEPT_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>

struct kept;

/* struct kept_key finds an answer: whose it is (0: everybody's), its name, the path as a rule, and in which form. */
struct kept_key {
    int64_t account;
    const char *name;
    bool gzip;
};

/* struct kept_answer is what is kept: the answer, and the one without a body for who has it already. `run`: the run
 * that it is about; "": it changes with any run of the account. The texts are copied. */
struct kept_answer {
    struct MHD_Response *whole, *same;
    const char *tag; /* what an If-None-Match that names the answer has in it */
    const char *run;
    uint64_t octets;
};

/* kept_new makes an empty one for so many octets. NULL: no memory. kept_free frees it; NULL is allowed. */
struct kept *kept_new(uint64_t octets_max);
void kept_free(struct kept *kept);

/* struct kept_sent is what the library said when an answer was queued, its status, and the octets of its body. */
struct kept_sent {
    enum MHD_Result answered;
    unsigned status;
    uint64_t octets;
};

/* kept_reply queues the answer that is kept under the key; false when there is none. `known` is the header
 * If-None-Match, or NULL. */
bool kept_reply(struct kept *kept, const struct kept_key *key, struct MHD_Connection *connection, const char *known,
                struct kept_sent *sent);

/* kept_has tells whether there is one. */
bool kept_has(struct kept *kept, const struct kept_key *key);

/* kept_moment gives a number that changes whenever something of the account does: to be asked for before the database
 * is read, and given to kept_put. */
uint64_t kept_moment(struct kept *kept, int64_t account);

/* kept_put keeps an answer, and takes its responses over, unless something has changed since that moment. */
void kept_put(struct kept *kept, const struct kept_key *key, const struct kept_answer *answer, uint64_t moment);

/* kept_change says that a run of the account has come or changed; kept_forget, that a run is deleted, or, where it is
 * NULL, all that the account has. After the change is committed; never with a query open. */
void kept_change(struct kept *kept, int64_t account);
void kept_forget(struct kept *kept, int64_t account, const char *run);

#endif

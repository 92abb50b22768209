/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Captures that somebody looks at: each has a process that decodes it (sharkd.h), and a thread that asks it, while the
 * connections that wait for answers sleep. There are few of them, in all and for one account; one at which nobody has
 * looked for a while gives way to the next, and ends after a minute.
 *
 *     handler --decoders_begin--> the connection sleeps .. thread and process .. wakes --> `then` answers
 */
#ifndef WEB_DECODE_DECODERS_H
#define WEB_DECODE_DECODERS_H

#include "web/http/request.h"

#include <stdbool.h>
#include <stddef.h>

struct decoders;
struct evidence_files;

/* struct decoders_order says which program decodes, NULL: the sharkd of PATH, if it is there; and how many at once. */
struct decoders_order {
    const char *program;
    unsigned most, account_most;
    const struct evidence_files *evidence;
};

/* decoders_new begins. *decoders is NULL where captures are not decoded here. False: the program that was named cannot
 * be used; one line in message. */
bool decoders_new(const struct decoders_order *order, struct decoders **decoders, char *message, size_t message_octets);

/* decoders_begin has request->decode done, for the account that asks. It returns at once, and `then` is called as the
 * handler of the request, on a thread of the server, when request->decode is filled in. Where too many wait, or the
 * service ends, it has answered 429 or 503. */
void decoders_begin(struct request *request, void (*then)(struct request *request));

/* decoders_stop ends all processes and answers those who wait. Before the server is stopped. decoders_free frees it;
 * NULL
 * is allowed for both. */
void decoders_stop(struct decoders *decoders);
void decoders_free(struct decoders *decoders);

#endif

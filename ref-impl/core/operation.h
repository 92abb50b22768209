/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * An operation: one message whose payload is on its way into or out of this process's memory, from the moment at which
 * it was accepted until its event is logged. It keeps what it needs by itself, so that memory descriptors may be
 * updated and unlinked meanwhile. Messages without payload of ours (acknowledgements, get requests) need none.
 *
 *      what comes or goes            begins with             payload is done   ends when
 *      ---------------------------   ---------------------   ---------------   ------------------------------------
 *      a PUT arrives                 message_put_arrive      landed            sent (of the acknowledgement), landed
 *                                                                              where none is wanted
 *      a GET arrives, a REPLY goes   message_get_arrive      sent              sent
 *      a REPLY arrives               message_reply_arrive    landed            landed
 *      a PUT goes                    message_put_start       sent              sent
 */
#ifndef REF_IMPL_CORE_OPERATION_H
#define REF_IMPL_CORE_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/list.h"
#include "ref-impl/core/types.h"

struct eq;
struct md;
struct ni;

enum operation_kind {
    OPERATION_PUT_SERVED,
    OPERATION_GET_SERVED,
    OPERATION_REPLY_TAKEN,
    OPERATION_PUT_SENT,
    OPERATION_EXCHANGE_SERVED, /* a getput, at its target */
    OPERATION_EXCHANGE_SENT    /* its data goes; no event tells of it */
};
enum operation_outcome { OPERATION_UNDER_WAY, OPERATION_SUCCEEDED, OPERATION_FAILED };

/* What an operation keeps of the message that arrived, or that was sent (PUT goes): what an event or an answer tells.
 * Of a put that is sent `initiator` is its target: who began it is clear, and who answers it is not. */
struct operation_request {
    struct wire_portals_id initiator;
    uint32_t portal;
    uint64_t match_bits;
    uint64_t offset;
    uint64_t md;
    uint64_t rlength;
    uint64_t hdr_data;
    uint64_t local_offset;
    uint32_t uid;
    bool tagged;
};

/* One that passes is of a short put that is here as a whole: it begins and ends under one hold of the lock, so that
 * nobody else ever sees it. It is in no list.
 *
 * struct operation is guarded by the lock of its interface. It is also the NAL's token or cookie. */
struct operation {
    struct list link; /* in its queue, or where it has none in ni->operations */
    struct eq *queue; /* where a slot is reserved, else NULL */
    enum operation_kind kind : 8;
    enum operation_outcome outcome : 8;
    uint8_t references; /* its own life, and who revokes it */
    bool passes;        /* see above */
    bool revoked;
    bool failed; /* the network took none of it */
    struct operation_request request;
    struct ni *ni;            /* whose it is */
    struct md *md;            /* kept from being freed, perhaps no longer linked */
    uint64_t offset, mlength; /* which part of the region */
    void *kept;      /* of an exchange that is served: what came, then what was there; of a put that is being sent: its
                 * acknowledgement, where that has come (messages/early_ack.h); else NULL */
    void *bounce;    /* what is sent, or comes, of a scattered region, in several of whose pieces it lies; else NULL */
    uint64_t number; /* of the event with which it began; 0: none */
    struct core_md value; /* of the descriptor, right after this operation was accepted */
    struct list writing;  /* in md->writing, or among those to be revoked: it may still write to memory */
};

/* operation_new - begins an operation on `md`, as it is now; NULL without memory. Lock held, as for all here. */
struct operation *operation_new(struct ni *ni, enum operation_kind kind, struct md *md,
                                const struct wire_portals_header *request);

/* operation_pass - the same for a put that passes. Who calls it describes the descriptor in it. */
struct operation *operation_pass(struct ni *ni, struct md *md, const struct wire_portals_header *request);

/* operation_spare_make, operation_spare_free - an interface keeps the memory of one operation while it is open: a short
 * message mostly begins and ends before the next one begins, and so allocates nothing. */
void operation_spare_make(struct ni *ni);
void operation_spare_free(struct ni *ni);

/* operation_end - ends its life. It may stay in memory for those who are revoking it. */
void operation_end(struct ni *ni, struct operation *operation);

/* operation_start_writing - the network may from now on write to the descriptor's memory on its behalf;
 * operation_stop_writing - it does no longer. */
void operation_start_writing(struct operation *operation);
void operation_stop_writing(struct operation *operation);

/* operation_mark_revoked - moves all operations that may still write to the region of `md` to the list `revoked`.
 * operation_revoke - takes their memory from the network; gives the lock back while it calls the NAL. When it returns
 * none of them writes any more. */
void operation_mark_revoked(struct md *md, struct list *revoked);
void operation_revoke(struct ni *ni, struct list *revoked);

/* operation_begin_event - makes the event with which an operation begins; false: there is none. Who logs it keeps its
 * number in the operation. */
bool operation_begin_event(const struct ni *ni, const struct operation *operation, struct core_event *event);

/* operation_ends_logged - whether there is an event for the end of an operation on that descriptor. */
bool operation_ends_logged(const struct core_md *value);

/* operation_describe - makes the event of an operation that succeeded. */
void operation_describe(const struct ni *ni, const struct operation *operation, struct core_event *event);

/* operation_from_peer - whether the message came from that process;
 * operation_same_peer - whether two came from one. */
bool operation_from_peer(const struct operation *operation, const struct wire_portals_id *peer);
bool operation_same_peer(const struct operation *a, const struct operation *b);

#endif

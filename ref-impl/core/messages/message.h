/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages (chapters 3.10 and 4): what puts and gets have in common.
 *
 *          initiator                                   target
 *
 *   put    PtlPut ---- PUT + data ----------------->   translate, accept
 *          SENT when the data has left                 data into memory
 *          ACK event <-------------- ACK ------------  if wanted
 *                                                      PUT event when the acknowledgement has left
 *
 *   get    PtlGet ---- GET ------------------------>   translate, accept
 *          data into memory <------- REPLY + data ---
 *          REPLY event                                 GET event when the reply has left
 *
 * messages/upcalls.c sorts what arrives; messages/put.c and messages/get.c are the halves of this picture.
 */
#ifndef REF_IMPL_CORE_MESSAGES_MESSAGE_H
#define REF_IMPL_CORE_MESSAGES_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/status.h"
#include "wire/portals/messages.h"

struct accept_part;
struct md;
struct ni;
struct operation;
struct operation_request;

/* struct message_address - where a put or get goes: a portal address (2.2). */
struct message_address {
    struct wire_portals_id target; /* gid and rid may be WIRE_PORTALS_ID_UNKNOWN */
    uint32_t portal;
    uint32_t cookie;
    uint64_t match_bits;
    uint64_t offset;
    uint64_t hdr_data; /* of a put, where the revision has it */

    /* Which part of the initiator's region it is about, where `partial`; else all of it. */
    bool partial;
    uint64_t local_offset, length;
};

/* message_begin_answer - fills in the answer (ACK or REPLY) to a request: the processes change sides, the rest is
 * echoed. */
void message_begin_answer(const struct ni *ni, const struct operation_request *request, uint32_t operation,
                          uint64_t mlength, struct wire_portals_header *answer);

/* message_begin_request - makes the request (PUT or GET) of an interface to an address. */
void message_begin_request(const struct ni *ni, uint32_t operation, const struct message_address *address,
                           struct wire_portals_header *request);

/* message_log_begin - logs the event with which an operation begins, where there is one. Lock held. */
void message_log_begin(struct ni *ni, struct operation *operation);

/* message_may_use - whether an operation of this process may use `md`: where the policy says so not when its threshold
 * is 0.
 * message_spend - lowers its threshold by such an operation; the descriptor may be unlinked then, but is there
 * until eq_log_unlinked. Lock held. */
bool message_may_use(const struct ni *ni, const struct md *md);
void message_spend(struct ni *ni, struct md *md);

/* message_choose_part - puts into a request what part of the region it is about. CORE_BAD_DESCRIPTOR: the descriptor
 * may not be used; CORE_ILLEGAL: the part is not in it. */
CORE_MUST_USE enum core_status message_choose_part(const struct ni *ni, const struct md *md,
                                                   const struct message_address *address,
                                                   struct wire_portals_header *request);

/* message_accept - lets `md` serve a request that it has accepted: its threshold, offset and place in the list, room
 * for the event. NULL without memory, with nothing changed. Lock held. */
struct operation *message_accept(struct ni *ni, struct md *md, const struct wire_portals_header *request,
                                 const struct accept_part *part);

#endif

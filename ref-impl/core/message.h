/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages: what the core does with what the NAL reports, and how it begins an operation of its own (chapters 3.10 and
 * 4).
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
 * message.c sorts what arrives; message_put.c and message_get.c are one column each of this picture.
 */
#ifndef REF_IMPL_CORE_MESSAGE_H
#define REF_IMPL_CORE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/status.h"
#include "ref-impl/nal/nal.h"
#include "wire/portals/messages.h"

struct accept_part;
struct md;
struct ni;
struct operation;
struct operation_request;

/* message_upcalls is the core as the NAL of an interface sees it; their `core` is the struct ni. */
extern const struct nal_upcalls message_upcalls;

/* struct message_address says where a put or get goes: a portal address (2.2). */
struct message_address {
    struct wire_portals_id target; /* gid and rid may be WIRE_PORTALS_ID_UNKNOWN */
    uint32_t portal;
    uint32_t cookie;
    uint64_t match_bits;
    uint64_t offset;
};

/* message_put_start sends the region of a descriptor; message_get_start asks for as many octets. Neither waits for the
 * network.
 * CORE_BAD_DESCRIPTOR; CORE_BAD_PROCESS, CORE_NO_SPACE: nothing was sent. */
CORE_MUST_USE enum core_status message_put_start(uint64_t md, bool want_ack, const struct message_address *address);
CORE_MUST_USE enum core_status message_get_start(uint64_t md, const struct message_address *address);

/* The rest is for the core. */

/* message_begin_answer fills in the answer (ACK or REPLY) to a request: the processes change sides, the rest is echoed.
 */
void message_begin_answer(const struct ni *ni, const struct operation_request *request, uint32_t operation,
                          uint64_t mlength, struct wire_portals_header *answer);

/* message_begin_request makes the request (PUT or GET) of an interface to an address. */
void message_begin_request(const struct ni *ni, uint32_t operation, const struct message_address *address,
                           struct wire_portals_header *request);

/* message_accept lets `md` serve a request that it has accepted: its threshold, offset and place in the list, room for
 * the event. NULL without memory, with nothing changed. Lock held. */
struct operation *message_accept(struct ni *ni, struct md *md, const struct wire_portals_header *request,
                                 const struct accept_part *part);

/* message_KIND_arrive takes a whole header of that kind that is for this process. False when the message is discarded.
 * Lock held; message_get_arrive gives it back while it sends the reply. */
bool message_put_arrive(struct ni *ni, const struct wire_portals_header *request, struct nal_sink *sink);
bool message_ack_arrive(struct ni *ni, const struct wire_portals_header *ack);
bool message_get_arrive(struct ni *ni, const struct wire_portals_header *request);
bool message_reply_arrive(struct ni *ni, const struct wire_portals_header *reply, struct nal_sink *sink);

/* message_KIND_landed: the payload is in memory. message_put_sent: the payload of a put, message_put_answered: the
 * acknowledgement, message_get_answered: the reply has left, or never will. Lock held; message_put_landed gives it back
 * while it sends. */
void message_put_landed(struct ni *ni, struct operation *operation);
void message_put_answered(struct ni *ni, struct operation *operation);
void message_put_sent(struct ni *ni, struct operation *operation);
void message_get_answered(struct ni *ni, struct operation *operation, bool complete);
void message_reply_landed(struct ni *ni, struct operation *operation);

#endif

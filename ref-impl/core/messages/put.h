/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A put: its beginning, which is what is behind PtlPut, and what arrives and is reported on its behalf (chapter
 * 3.10.1).
 */
#ifndef REF_IMPL_CORE_MESSAGES_PUT_H
#define REF_IMPL_CORE_MESSAGES_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/messages/message.h"
#include "ref-impl/core/status.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/short_path.h"

/* message_put_start - sends the region of the descriptor of that handle. Never waits for the network.
 * CORE_BAD_DESCRIPTOR; CORE_ILLEGAL: the address names a part that is not in it; CORE_BAD_PROCESS, CORE_NO_SPACE:
 * nothing was sent. */
CORE_MUST_USE enum core_status message_put_start(uint64_t md, bool want_ack, const struct message_address *address);

/* The rest is for messages/upcalls.c, with the lock held. */

/* message_put_arrive, message_ack_arrive - take a whole header of a PUT, of an ACK, that is for this process. False: it
 * is discarded. */
bool message_put_arrive(struct ni *ni, const struct wire_portals_header *request, struct nal_sink *sink);
ASIDE bool message_ack_arrive(struct ni *ni, const struct wire_portals_header *ack);

/* message_put_landed - at the target, the payload is in memory; gives the lock back while it sends an acknowledgement.
 * message_put_answered - that has left, or never will.
 * message_put_sent - at the initiator, the payload has left, or never will. */
void message_put_landed(struct ni *ni, struct operation *operation);
void message_put_answered(struct ni *ni, struct operation *operation);
void message_put_sent(struct ni *ni, struct operation *operation);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A get: its beginning, which is what is behind PtlGet, and what arrives and is reported on its behalf (chapter
 * 3.10.2).
 */
#ifndef REF_IMPL_CORE_MESSAGES_GET_H
#define REF_IMPL_CORE_MESSAGES_GET_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/messages/message.h"
#include "ref-impl/core/status.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/short_path.h"

/* message_get_start - asks for as many octets as the region of the descriptor of that handle has. Never waits for the
 * network. CORE_BAD_DESCRIPTOR; CORE_ILLEGAL: the address names a part that is not in it; CORE_BAD_PROCESS,
 * CORE_NO_SPACE: nothing was sent. */
CORE_MUST_USE enum core_status message_get_start(uint64_t md, const struct message_address *address);

/* The rest is for messages/upcalls.c, with the lock held. */

/* message_get_arrive, message_reply_arrive - take a whole header of a GET, of a REPLY, that is for this process. False:
 * it is discarded. The former gives the lock back while it sends the reply. */
ASIDE bool message_get_arrive(struct ni *ni, const struct wire_portals_header *request);
ASIDE bool message_reply_arrive(struct ni *ni, const struct wire_portals_header *reply, struct nal_sink *sink);

/* message_get_answered - at the target, the reply has left (`complete`) or never will.
 * message_reply_landed - at the initiator, its payload is in memory. */
void message_get_answered(struct ni *ni, struct operation *operation, bool complete);
ASIDE void message_reply_landed(struct ni *ni, struct operation *operation);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A getput: octets are exchanged for those of the target's region, in one step that nothing comes between (3.3).
 */
#ifndef REF_IMPL_CORE_MESSAGES_EXCHANGE_H
#define REF_IMPL_CORE_MESSAGES_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/messages/message.h"
#include "ref-impl/core/status.h"
#include "ref-impl/nal/nal.h"
#include "ref-impl/short_path.h"

/* message_exchange_start - sends the region of `put` and asks for what it replaces, which comes into that of `get`, of
 * the same interface and length. Never waits for the network. CORE_BAD_DESCRIPTOR; CORE_ILLEGAL: lengths that differ or
 * are above that of the interface; CORE_BAD_PROCESS, CORE_NO_SPACE: nothing was sent. */
CORE_MUST_USE enum core_status message_exchange_start(uint64_t get, uint64_t put,
                                                      const struct message_address *address);

/* message_exchange_arrive - takes a whole header of a GETPUT that is for this process. False: it is discarded.
 * message_exchange_landed - its octets have come; gives the lock back while it sends the reply. What follows is as with
 * a get. Lock held. */
ASIDE bool message_exchange_arrive(struct ni *ni, const struct wire_portals_header *request, struct nal_sink *sink);
ASIDE void message_exchange_landed(struct ni *ni, struct operation *operation);

#endif

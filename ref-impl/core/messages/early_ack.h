/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Acknowledgements that come before the network has said that the put has left. Over Intercept the target's MSGEND,
 * which ends the sending, and its acknowledgement are two messages in no order. Programs for Portals 3.2 and 3.3 unlink
 * a descriptor when its acknowledgement comes, and would find it in use; so it is kept until the put has left.
 */
#ifndef REF_IMPL_CORE_MESSAGES_EARLY_ACK_H
#define REF_IMPL_CORE_MESSAGES_EARLY_ACK_H

#include <stdbool.h>

#include "ref-impl/core/ni_object.h"
#include "ref-impl/short_path.h"

struct operation;

/* early_ack_keep - keeps an acknowledgement with the put that it answers, where that is still being sent and the
 * revision wants this order; false: it is to be taken now. Lock held, as for the next one. */
ASIDE bool early_ack_keep(const struct ni *ni, const struct wire_portals_header *ack);

/* early_ack_take - takes out what was kept with an operation; NULL: nothing. The caller frees it. */
struct wire_portals_header *early_ack_take(struct operation *operation);

#endif

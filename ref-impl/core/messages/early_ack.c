/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Acknowledgements that come too early: see early_ack.h. One is kept with the first put that it can be the answer of,
 * by all that it echoes.
 */
#include "ref-impl/core/messages/early_ack.h"

#include <stdlib.h>

#include "ref-impl/core/md_object.h"
#include "ref-impl/core/operation.h"

static bool answers(const struct wire_portals_header *ack, const struct operation *put)
{
    const struct operation_request *request = &put->request;

    return put->kind == OPERATION_PUT_SENT && !put->kept && request->md == ack->md &&
           request->initiator.nid == ack->initiator.nid && request->initiator.pid == ack->initiator.pid &&
           request->portal == ack->portal && request->match_bits == ack->match_bits && request->offset == ack->offset &&
           request->rlength == ack->rlength && request->hdr_data == ack->hdr_data &&
           request->local_offset == ack->local_offset;
}

/* The put that is still being sent, of those of the descriptor. */
static struct operation *find(const struct ni *ni, const struct wire_portals_header *ack)
{
    for (struct list *at = ni->operations.next; at != &ni->operations; at = at->next) {
        struct operation *operation = LIST_OWNER(at, struct operation, link);

        if (answers(ack, operation)) {
            return operation;
        }
    }
    return NULL;
}

bool early_ack_keep(const struct ni *ni, const struct wire_portals_header *ack)
{
    const struct md *md = ni->config.policy->acks_follow_sending ? md_find(ni, ack->md) : NULL;
    struct operation *put = md && md_is_busy(md) ? find(ni, ack) : NULL;
    struct wire_portals_header *kept = put ? malloc(sizeof(*kept)) : NULL;

    if (!kept) {
        return false;
    }
    *kept = *ack;
    put->kept = kept;
    return true;
}

struct wire_portals_header *early_ack_take(struct operation *operation)
{
    struct wire_portals_header *kept = operation->kept;

    operation->kept = NULL;
    return kept;
}

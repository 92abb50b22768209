/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whether a memory descriptor accepts a request, and which part of its region the operation then uses (3.7.1, 4.2).
 */
#ifndef REF_IMPL_CORE_MATCHING_ACCEPT_H
#define REF_IMPL_CORE_MATCHING_ACCEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/portals/messages.h"

struct md;
struct ni;

/* The part of a region: `length` octets, `offset` octets from its start. Always inside the region. */
struct accept_part {
    uint64_t offset, length;
};

/* accept_decide - whether `md` accepts a put or get request, and which part it would use. Changes nothing. Lock
 * held. */
bool accept_decide(const struct ni *ni, const struct md *md, const struct wire_portals_header *request,
                   struct accept_part *part);

/* accept_is_closed - whether the local offset of `md` has come so far that it serves nothing any more. Lock held.
 * accept_is_unfit - whether a request that matches makes `md` go, because it would serve such requests but this one
 * does not fit and may not be cut. Lock held. */
bool accept_is_closed(const struct md *md);
bool accept_is_unfit(const struct md *md, const struct wire_portals_header *request);

/* accept_account - does to the descriptor what serving one request does: threshold and local offset. True when this has
 * exhausted a descriptor that then is to be unlinked. Lock held. */
bool accept_account(struct md *md, const struct accept_part *part) __attribute__((warn_unused_result));

#endif

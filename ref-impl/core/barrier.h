/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The barrier over the group (chapter 3.5.3), made of BARRIER messages of the binding: a dissemination barrier. In
 * round r of the n-th barrier each rank tells the rank 2^r behind it that it has come so far, and goes on when it hears
 * the same from the rank 2^r before it; after log2(size) rounds everybody has heard, directly or not, from everybody.
 *
 *      round 0:  0 -> 1 -> 2 -> 3 -> 4 -> 0        round 1:  i -> i + 2        round 2:  i -> i + 4   (mod 5)
 *
 * A neighbour may be one barrier ahead, so messages are remembered as "the highest barrier heard of, for each round".
 * They count even when this interface is not open yet: a member that is quicker must not be forgotten.
 */
#ifndef REF_IMPL_CORE_BARRIER_H
#define REF_IMPL_CORE_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/status.h"
#include "ref-impl/short_path.h"
#include "wire/portals/messages.h"

struct ni;

/* barrier_wait - blocks until every process of the group has called it as often as this one. CORE_BAD_INTERFACE: the
 * handle is wrong, or the interface was closed meanwhile. CORE_BAD_PROCESS, CORE_NO_SPACE: a message could not be sent.
 */
CORE_MUST_USE enum core_status barrier_wait(uint64_t interface);

/* barrier_hear - takes an arriving BARRIER message; false when it is not one that this process expects. Lock held. */
ASIDE bool barrier_hear(struct ni *ni, const struct wire_portals_header *header);

#endif

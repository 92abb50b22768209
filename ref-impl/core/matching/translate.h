/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Address translation: from the portal address in a request to the memory descriptor that serves it (2.2, 4.2).
 */
#ifndef REF_IMPL_CORE_MATCHING_TRANSLATE_H
#define REF_IMPL_CORE_MATCHING_TRANSLATE_H

#include "ref-impl/core/matching/accept.h"
#include "wire/portals/messages.h"

struct md;
struct ni;

/* translate_request - the descriptor that serves a put or get request, and the part of its region; NULL when the
 * request is to be rejected. Changes nothing, but for descriptors that go when a request does not fit. Lock held, as
 * for every change of a list: a request meets each list as it was before or after the change (P30-128). */
struct md *translate_request(struct ni *ni, const struct wire_portals_header *request, struct accept_part *part);

#endif

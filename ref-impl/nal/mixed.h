/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several networks as one: each peer is reached over the cheapest network that reaches it.
 */
#ifndef REF_IMPL_NAL_MIXED_H
#define REF_IMPL_NAL_MIXED_H

#include "ref-impl/nal/network.h"

#include <stddef.h>

/* mixed_open - opens an interface on each of `count` networks, 1 to NETWORKS_MAX, and makes one of them; as nal_open.
 * With a single network the interface is that network's own. */
enum nal_status mixed_open(const struct network *const *networks, size_t count, const struct nal_config *config,
                           const struct nal_upcalls *upcalls, void *core, struct nal **nal);

#endif

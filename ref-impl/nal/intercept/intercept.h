/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Intercept network (specs/intercept-wire.md) between the processes of a job on one machine. Each process is a node
 * with a card of its own; the launcher runs the switch.
 */
#ifndef REF_IMPL_NAL_INTERCEPT_INTERCEPT_H
#define REF_IMPL_NAL_INTERCEPT_INTERCEPT_H

#include "ref-impl/nal/network.h"

/* intercept_network - the row. The process's node id is its IUCA. */
extern const struct network intercept_network;

#endif

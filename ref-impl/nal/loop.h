/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The loop: a network of one process, which reaches itself and nobody else. The shortest NAL there is, and the one to
 * read first; also what a debugger wants, since no other thread is involved.
 */
#ifndef REF_IMPL_NAL_LOOP_H
#define REF_IMPL_NAL_LOOP_H

#include "ref-impl/nal/network.h"

/* loop_network - the row. */
extern const struct network loop_network;

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The split barrier: each node notifies, and waits or tries later. It is made of active messages, a dissemination: in
 * step s of the ceil(log2 n) steps each node tells the one 2^s behind it all that it knows of the names given to this
 * barrier.
 */
#ifndef REF_IMPL_GASNET_BARRIER_H
#define REF_IMPL_GASNET_BARRIER_H

/* barrier_open - before the first one.
 * barrier_advance - goes on with the one that is under way, as far as messages have come. Not from a handler. */
void barrier_open(void);
void barrier_advance(void);

#endif

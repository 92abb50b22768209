/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a job, when another node has ended it.
 */
#ifndef REF_IMPL_GASNET_LEAVE_H
#define REF_IMPL_GASNET_LEAVE_H

/* leave_open - from now on this node leaves when it is told. */
void leave_open(void);

#endif

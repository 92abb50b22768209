/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * gasnet_memset on other nodes: an active message that a handler of the library serves there.
 */
#ifndef REF_IMPL_GASNET_FILL_H
#define REF_IMPL_GASNET_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "ref-impl/gasnet/transfers/ops.h"

/* fill_open - registers the handlers.
 * fill_start - adds filling `octets` octets of a node's segment with a value to an operation. */
void fill_open(void);
void fill_start(struct gasnet_op *op, uint32_t node, void *destination, int value, size_t octets);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the calls with handles and those without share.
 */
#ifndef REF_IMPL_GASNET_EXTENDED_H
#define REF_IMPL_GASNET_EXTENDED_H

#include <gasnet.h>
#include <stdbool.h>

#include "ref-impl/gasnet/transfers/ops.h"

/* extended_put, extended_get, extended_memset, extended_put_value - add to an operation. With `reusable` the source may
 * be used again on return. */
void extended_put(struct gasnet_op *op, gasnet_node_t node, void *destination, const void *source, size_t octets,
                  bool reusable);
void extended_get(struct gasnet_op *op, void *destination, gasnet_node_t node, const void *source, size_t octets);
void extended_memset(struct gasnet_op *op, gasnet_node_t node, void *destination, int value, size_t octets);
void extended_put_value(struct gasnet_op *op, gasnet_node_t node, void *destination, gasnet_register_value_t value,
                        size_t octets);

/* extended_handle - the handle of an operation that has begun; none, and it is freed, where nothing is in flight. */
gasnet_handle_t extended_handle(struct gasnet_op *op);

/* extended_low_octets - where the low octets of a value are. */
void *extended_low_octets(uint64_t *value, size_t octets);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Puts and gets of all kinds, as parts of an operation: see extended.h.
 */
#include "ref-impl/gasnet/extended.h"

#include <string.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/poll.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/fill.h"
#include "ref-impl/gasnet/messages/invoke.h"
#include "ref-impl/gasnet/transfers/transfer.h"

/* Whether this node itself does it: all of its own, and nothing at all. */
static bool is_own(gasnet_node_t node, const void *memory, size_t octets) //= GASN-106 GASN-108
{
    uint64_t offset;

    if (invoke_running()) {
        fatal_end("a handler puts or gets: it may only reply");
    }
    if (node != nodes_self()) {
        return octets == 0;
    }
    if (!segment_offset(node, memory, octets, &offset)) {
        fatal_end("%zu octets at %p are not within the own segment", octets, memory);
    }
    return true;
}

/* Where nothing is moved, neither address need be one. */
static void move(void *destination, const void *source, size_t octets)
{
    if (octets > 0) {
        memmove(destination, source, octets);
    }
}

void extended_put(struct gasnet_op *op, gasnet_node_t node, void *destination, const void *source, size_t octets,
                  bool reusable)
{
    if (is_own(node, destination, octets)) {
        move(destination, source, octets);
        return;
    }
    transfer_put(op, node, destination, source, octets, reusable ? MEMORY_TOLD : MEMORY_KEPT);
    while (op->unsent > 0) { //= GASN-105
        poll_wait();
    }
}

void extended_get(struct gasnet_op *op, void *destination, gasnet_node_t node, const void *source, size_t octets)
{
    if (is_own(node, source, octets)) {
        move(destination, source, octets);
    } else {
        transfer_get(op, destination, node, source, octets);
    }
}

void extended_memset(struct gasnet_op *op, gasnet_node_t node, void *destination, int value, size_t octets)
{
    if (is_own(node, destination, octets)) {
        memset(destination, value, octets);
    } else {
        fill_start(op, node, destination, value, octets);
    }
}

gasnet_handle_t extended_handle(struct gasnet_op *op)
{
    if (ops_done(op)) {
        ops_free(op);
        return GASNET_INVALID_HANDLE;
    }
    return op;
}

void *extended_low_octets(uint64_t *value, size_t octets)
{
    const uint16_t one = 1;
    unsigned char first;

    memcpy(&first, &one, 1);
    return (unsigned char *)value + (first ? 0 : sizeof(*value) - octets);
}

void extended_put_value(struct gasnet_op *op, gasnet_node_t node, void *destination, gasnet_register_value_t value,
                        size_t octets)
{
    uint64_t whole = value;
    const void *low = extended_low_octets(&whole, octets);

    if (octets < 1 || octets > sizeof(whole)) {
        fatal_end("a value of %zu octets is put", octets);
    }
    if (is_own(node, destination, octets)) {
        memcpy(destination, low, octets);
    } else {
        transfer_put(op, node, destination, low, octets, MEMORY_COPIED);
    }
}

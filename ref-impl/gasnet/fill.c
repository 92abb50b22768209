/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Filling memory of other nodes: see fill.h.
 */
#include "ref-impl/gasnet/fill.h"

#include <gasnet.h>
#include <string.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/segment.h"
#include "ref-impl/gasnet/messages/invoke.h"

static uint64_t joined(gasnet_handlerarg_t high, gasnet_handlerarg_t low)
{
    return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

static void fill(gasnet_token_t token, gasnet_handlerarg_t high, gasnet_handlerarg_t low, gasnet_handlerarg_t many_high,
                 gasnet_handlerarg_t many_low, gasnet_handlerarg_t value, gasnet_handlerarg_t operation)
{
    void *memory = (void *)(uintptr_t)joined(high, low);
    uint64_t octets = joined(many_high, many_low), offset;

    if (!segment_offset(nodes_self(), memory, octets, &offset)) {
        fatal_end("%llu octets at %p are to be filled, which are not in the segment", (unsigned long long)octets,
                  memory);
    }
    memset(memory, value, octets);
    (void)gasnet_AMReplyShort1(token, HANDLER_FILLED, operation);
}

static void filled(gasnet_token_t token, gasnet_handlerarg_t operation)
{
    (void)token;
    ops_find((uint32_t)operation)->puts--;
}

void fill_open(void)
{
    (void)invoke_register(HANDLER_FILL, (void (*)())fill);
    (void)invoke_register(HANDLER_FILLED, (void (*)())filled);
}

void fill_start(struct gasnet_op *op, uint32_t node, void *destination, int value, size_t octets)
{
    const uint64_t at = (uint64_t)(uintptr_t)destination, many = octets;
    uint64_t offset;

    if (node >= nodes_count() || !segment_offset(node, destination, octets, &offset)) {
        fatal_end("%zu octets at %p are not in the segment of a node %u", octets, destination, node);
    }
    op->puts++;
    if (gasnet_AMRequestShort6(node, HANDLER_FILL, (int32_t)(at >> 32), (int32_t)at, (int32_t)(many >> 32),
                               (int32_t)many, value, (int32_t)op->number) != GASNET_OK) {
        fatal_end("node %u cannot be told to fill memory", node);
    }
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The segments: see segment.h.
 */
#include "ref-impl/gasnet/base/segment.h"

#include <sys/mman.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/exchange.h"
#include "ref-impl/gasnet/base/nodes.h"

static ptl_handle_md_t source;

static ptl_handle_md_t attach(const ptl_md_t *region, enum bits_target to, unsigned options, ptl_handle_eq_t queue,
                              const struct poll_sink *sink)
{
    ptl_md_t md = *region;

    md.options = options | PTL_MD_MANAGE_REMOTE | PTL_MD_EVENT_START_DISABLE; //= GASN-012 GASN-015
    md.eq_handle = queue;
    md.user_ptr = (void *)(uintptr_t)sink;
    return nodes_attach(PORTAL_SEGMENT, to, &md);
}

bool segment_attach(size_t octets, const struct poll_sink *requests, const struct poll_sink *own)
{
    ptl_md_t region = {.length = octets, .threshold = PTL_MD_THRESH_INF}; //= GASN-048 GASN-055

    if (octets) {
        region.start = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (region.start == MAP_FAILED) {
            return false;
        }
    }
    (void)attach(&region, TO_RAR, PTL_MD_OP_PUT | PTL_MD_OP_GET, PTL_EQ_NONE,
                 NULL); //= GASN-025 GASN-049 GASN-050 GASN-051 GASN-101
    (void)attach(&region, TO_RARAM, PTL_MD_OP_PUT, poll_queue(QUEUE_AM), requests);  //= GASN-052 GASN-057
    source = attach(&region, TO_RARSRC, PTL_MD_OP_PUT, poll_queue(QUEUE_SAFE), own); //= GASN-053 GASN-054 GASN-056
    nodes_barrier();
    exchange_tell(ROUND_SEGMENTS, (struct exchange_told){(uint64_t)(uintptr_t)region.start, octets});
    return true;
}

void segment_of(uint32_t node, void **start, uint64_t *octets)
{
    const struct exchange_told told = exchange_of(ROUND_SEGMENTS, node);

    *start = (void *)(uintptr_t)told.first;
    *octets = told.second;
}

bool segment_offset(uint32_t node, const void *memory, uint64_t octets, uint64_t *offset) //= GASN-090
{
    const struct exchange_told told = exchange_of(ROUND_SEGMENTS, node);
    uint64_t at = (uint64_t)(uintptr_t)memory - told.first;

    if (at > told.second || octets > told.second - at) {
        return false;
    }
    *offset = at;
    return true;
}

ptl_handle_md_t segment_source(void)
{
    return source;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * System messages: see system.h.
 */
#include "ref-impl/gasnet/base/system.h"

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/poll.h"

static void (*takers[SYSTEM_KINDS])(uint32_t node, uint32_t value);
static ptl_handle_md_t source;

static void take(const ptl_event_t *event)
{
    const uint64_t kind = event->hdr_data & 0xff;
    uint32_t node;

    if (!nodes_find(event->initiator, &node)) {
        return; /* none of this job */
    }
    if (kind >= SYSTEM_KINDS) {
        fatal_end("node %u sends a system message of kind %u, which there is not", node, (unsigned)kind);
    }
    takers[kind](node, (uint32_t)(event->hdr_data >> 8));
}

static const struct poll_sink sink = {take};

void system_open(void)
{
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF, //= GASN-069
                   .options = PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_EVENT_START_DISABLE,
                   .user_ptr = (void *)(uintptr_t)&sink,
                   .eq_handle = poll_queue(QUEUE_SYSTEM)};

    (void)nodes_attach(PORTAL_MESSAGES, TO_SYSTEM, &md);
    md = (ptl_md_t){.threshold = PTL_MD_THRESH_INF, .eq_handle = PTL_EQ_NONE};
    fatal_portals(PtlMDBind(nodes_interface(), md, PTL_RETAIN, &source), "PtlMDBind");
}

void system_take(enum system_kind kind, void (*taker)(uint32_t node, uint32_t value))
{
    takers[kind] = taker;
}

void system_send(uint32_t node, enum system_kind kind, uint32_t value)
{
    int code =
        PtlPut(source, PTL_NOACK_REQ, nodes_process(node), PORTAL_MESSAGES, 0, TO_SYSTEM, 0, //= GASN-032 GASN-037
               (uint64_t)kind | (uint64_t)value << 8);

    if (kind != SYSTEM_END) { /* a node that has left already need not be told */
        fatal_portals(code, "PtlPut");
    }
}

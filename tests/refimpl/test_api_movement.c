/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Data movement through the public interface, over the loop: chapters 2, 3.8.2, 3.10, 4.
 */
#include <string.h>

#include "tests/refimpl/support.h"

static ptl_handle_ni_t ni;

static void put_arrives(void)
{
    char source[] = "portals!", sink[32] = {0};
    ptl_handle_eq_t here = support_eq(ni, 8), there = support_eq(ni, 8);
    ptl_handle_me_t me = support_entry(ni, 1, 7);
    ptl_handle_md_t target = support_attach(me, support_md(sink, sizeof(sink), PTL_MD_OP_PUT, there), PTL_RETAIN);
    ptl_handle_md_t md = support_bind(ni, support_md(source, 8, 0, here));
    ptl_event_t event;

    (void)target;
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, support_self(), 1, 0, 7, 99), PTL_OK);
    CHECK_MEM(sink, "portals!\0\0", 10, "the data is there and nothing else");
    SUPPORT_IS(PtlEQGet(there, &event), PTL_OK);
    CHECK_EQ(event.type, PTL_EVENT_PUT, "the target sees a put");
    CHECK_EQ(event.initiator.addr_kind, PTL_ADDR_BOTH, "initiator has all ids");
    CHECK_EQ(event.initiator.pid, support_self().pid, "initiator is the sender");
    CHECK_EQ(event.portal, 1, "portal as requested");
    CHECK_EQ(event.match_bits, 7, "match bits as requested");
    CHECK_EQ(event.rlength, 8, "requested length");
    CHECK_EQ(event.mlength, 8, "manipulated length");
    CHECK_EQ(event.offset, 0, "the local offset, not the request's");
    CHECK(event.mem_desc.start == sink, "the descriptor's region");
    SUPPORT_IS(PtlEQGet(there, &event), PTL_EQ_EMPTY);
    CHECK_EQ(support_events(here), 2, "sent and acknowledged");
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlEQFree(here), PTL_OK);
    SUPPORT_IS(PtlEQFree(there), PTL_OK);
}

int main(void)
{
    ni = support_open();
    TAP_RUN(put_arrives);
    PtlFini();
    return tap_done();
}

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

/* A fresh entry on portal 2 with one descriptor. */
static ptl_handle_me_t expect(ptl_md_t md)
{
    ptl_handle_me_t me = support_entry(ni, 2, 0);

    support_attach(me, md, PTL_RETAIN);
    return me;
}

static void acknowledgements(void)
{
    char data[6] = "12345", sink[6];
    ptl_handle_eq_t eq = support_eq(ni, 8);
    ptl_handle_md_t with = support_bind(ni, support_md(data, 5, 0, eq));
    ptl_handle_md_t without = support_bind(ni, support_md(data, 5, 0, PTL_EQ_NONE));
    ptl_sr_value_t before = support_drops(ni);
    ptl_event_t event;
    const struct {
        ptl_ack_req_t request;
        unsigned options;
        ptl_size_t events;
    } cases[] = {
        {PTL_ACK_REQ, PTL_MD_OP_PUT, 2},
        {PTL_NOACK_REQ, PTL_MD_OP_PUT, 1},
        {PTL_ACK_REQ, PTL_MD_OP_PUT | PTL_MD_ACK_DISABLE, 1},
        {PTL_ACK_REQ, PTL_MD_OP_GET, 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ptl_handle_me_t me = expect(support_md(sink, 6, cases[i].options, PTL_EQ_NONE));

        SUPPORT_IS(PtlPut(with, cases[i].request, support_self(), 2, 0, 0, 0), PTL_OK);
        CHECK_EQ(support_events(eq), cases[i].events, "one event for the data, one if acknowledged");
        while (PtlEQGet(eq, &event) == PTL_OK) {
        }
        SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    }
    CHECK_EQ(support_drops(ni), before + 1, "only the put into a descriptor for gets was dropped");

    expect(support_md(sink, 3, PTL_MD_OP_PUT | PTL_MD_TRUNCATE | PTL_MD_MANAGE_REMOTE, PTL_EQ_NONE));
    SUPPORT_IS(PtlPut(with, PTL_ACK_REQ, support_self(), 2, 0, 0, 1), PTL_OK);
    do {
        SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    } while (event.type != PTL_EVENT_ACK);
    CHECK(event.rlength == 5 && event.mlength == 2 && event.offset == 1 && event.portal == 2, "what the target did");
    CHECK_EQ(event.initiator.pid, support_self().pid, "who began it");
    CHECK(event.mem_desc.start == data, "on which memory");
    while (PtlEQGet(eq, &event) == PTL_OK) {
    }
    SUPPORT_IS(PtlPut(without, PTL_ACK_REQ, support_self(), 2, 0, 0, 1), PTL_OK);
    CHECK_EQ(support_drops(ni), before + 1, "without a queue no acknowledgement is asked for, none is dropped");
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);
    SUPPORT_IS(PtlMDUnlink(with), PTL_OK);
    SUPPORT_IS(PtlMDUnlink(without), PTL_OK);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

static void get_fetches(void)
{
    char data[] = "0123456789", got[12];
    ptl_handle_eq_t here = support_eq(ni, 8), there = support_eq(ni, 8);
    ptl_handle_md_t md = support_bind(ni, support_md(got, 8, 0, here));
    ptl_handle_me_t me = expect(support_md(data, 10, PTL_MD_OP_GET | PTL_MD_TRUNCATE | PTL_MD_MANAGE_REMOTE, there));
    ptl_event_t event;

    memset(got, '-', sizeof(got));
    SUPPORT_IS(support_get(md, 2, 0, 6), PTL_OK);
    CHECK_MEM(got, "6789--------", 12, "what the target has, and no more");
    SUPPORT_IS(PtlEQGet(there, &event), PTL_OK);
    CHECK(event.type == PTL_EVENT_GET && event.rlength == 8 && event.mlength == 4 && event.offset == 6, "GET event");
    SUPPORT_IS(PtlEQGet(here, &event), PTL_OK);
    CHECK(event.type == PTL_EVENT_REPLY && event.rlength == 8 && event.mlength == 4 && event.offset == 0,
          "REPLY event");
    CHECK_EQ(event.initiator.pid, support_self().pid, "the initiator of the get");
    SUPPORT_IS(PtlEQGet(here, &event), PTL_EQ_EMPTY);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(support_get(md, 2, 0, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(here, &event), PTL_EQ_EMPTY);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
}

static void nothing_for_nobody(void)
{
    char data[4] = "abc";
    ptl_handle_eq_t eq = support_eq(ni, 4);
    ptl_handle_md_t md = support_bind(ni, support_md(data, 3, 0, eq));
    ptl_process_id_t target = support_self();
    ptl_event_t event;

    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, target, 6, 0, 0, 0), PTL_OK);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_OK);
    CHECK_EQ(event.type, PTL_EVENT_SENT, "a dropped put was sent nevertheless");
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);

    target.addr_kind = PTL_ADDR_GID;
    target.rid = 1;
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, target, 0, 0, 0, 0), PTL_INV_PROC);
    SUPPORT_IS(PtlGet(md, target, 0, 0, 0, 0), PTL_INV_PROC);
    target.rid = PTL_ID_ANY;
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, target, 0, 0, 0, 0), PTL_INV_PROC);
    target = support_self();
    target.rid = 1;
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, target, 0, 0, 0, 0), PTL_INV_PROC);
    target = (ptl_process_id_t){.addr_kind = PTL_ADDR_NID, .nid = PTL_ID_ANY, .pid = PTL_ID_ANY};
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, target, 0, 0, 0, 0), PTL_INV_PROC);
    target = (ptl_process_id_t){.addr_kind = PTL_ADDR_NID, .nid = 1, .pid = 70000};
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, target, 0, 0, 0, 0), PTL_INV_PROC);
    target.addr_kind = (ptl_addr_kind_t)3;
    SUPPORT_IS(PtlGet(md, target, 0, 0, 0, 0), PTL_INV_PROC);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_EQ_EMPTY);
    SUPPORT_IS(PtlMDUnlink(md), PTL_OK);
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, support_self(), 0, 0, 0, 0), PTL_INV_MD);
    SUPPORT_IS(PtlGet(md, support_self(), 0, 0, 0, 0), PTL_INV_MD);
    SUPPORT_IS(PtlPut((ptl_handle_md_t){eq.value}, PTL_ACK_REQ, support_self(), 0, 0, 0, 0), PTL_INV_MD);
    SUPPORT_IS(PtlEQFree(eq), PTL_OK);
}

static void any_alignment(void)
{
    static char data[300], sink[300], expected[300];
    bool good = true;

    for (size_t i = 0; i < sizeof(data); i++) {
        data[i] = (char)(i * 7 + 1);
    }
    for (size_t start = 0; start < 16; start++) {
        for (size_t length = 0; length < 130; length += start % 3 + 1) {
            ptl_handle_md_t md = support_bind(ni, support_md(data + start, length, 0, PTL_EQ_NONE));

            memset(sink, 0, sizeof(sink));
            memset(expected, 0, sizeof(expected));
            memcpy(expected + 100 - start, data + start, length);
            expect(support_md(sink + 100 - start, length, PTL_MD_OP_PUT, PTL_EQ_NONE));
            support_must(support_put(md, 2, 0, 0), "PtlPut");
            support_must(PtlMDUnlink(md), "PtlMDUnlink");
            good = good && memcmp(sink, expected, sizeof(sink)) == 0;
        }
    }
    CHECK(good, "all alignments and lengths, and nothing beside them");
}

int main(void)
{
    ni = support_open();
    TAP_RUN(put_arrives);
    TAP_RUN(acknowledgements);
    TAP_RUN(get_fetches);
    TAP_RUN(nothing_for_nobody);
    TAP_RUN(any_alignment);
    PtlFini();
    return tap_done();
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries and match lists (3.6), address translation (2.2).
 */
#include <string.h>

#include "tests/refimpl/support.h"

static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static ptl_handle_md_t source;

/* A descriptor that accepts puts and is known by its tag in the events. */
static ptl_md_t tagged(uintptr_t tag)
{
    ptl_md_t md = support_md(NULL, 0, PTL_MD_OP_PUT, eq);

    md.user_ptr = (void *)tag;
    return md;
}

/* Puts nothing but the match bits, and says whose descriptor took it; 0: nobody's. */
static uintptr_t taker(ptl_pt_index_t portal, ptl_match_bits_t bits)
{
    ptl_event_t event;

    support_must(support_put(source, portal, bits, 0), "PtlPut");
    return PtlEQGet(eq, &event) == PTL_OK ? (uintptr_t)event.mem_desc.user_ptr : 0;
}

static ptl_handle_me_t insert(ptl_handle_me_t current, ptl_ins_pos_t position, ptl_unlink_t unlink, uintptr_t tag)
{
    ptl_handle_me_t me;

    support_must(PtlMEInsert(support_anybody(), 0, ~(ptl_match_bits_t)0, unlink, position, current, &me),
                 "PtlMEInsert");
    if (tag) {
        support_attach(me, tagged(tag), PTL_RETAIN);
    }
    return me;
}

static void match_bits(void)
{
    ptl_handle_me_t me;
    bool good = true;

    support_must(PtlMEAttach(ni, 0, support_anybody(), 0x1f, 0x0f, PTL_RETAIN, &me), "PtlMEAttach");
    support_attach(me, tagged(1), PTL_RETAIN);
    CHECK_EQ(taker(0, 0x10), 1, "ignored bits may differ");
    CHECK_EQ(taker(0, 0x1f), 1, "or be the same");
    CHECK_EQ(taker(0, 0x20), 0, "the others may not");
    me = support_entry(ni, 0, 0x8000000000000001u);
    support_attach(me, tagged(2), PTL_RETAIN);
    CHECK_EQ(taker(0, 0x8000000000000001u), 2, "all 64 bits equal");
    for (int bit = 0; bit < 64; bit++) {
        good = good && taker(0, 0x8000000000000001u ^ (ptl_match_bits_t)1 << bit) == 0;
    }
    CHECK(good, "one wrong bit out of 64 is enough");
    support_must(PtlMEAttach(ni, 0, support_anybody(), 5, ~(ptl_match_bits_t)0, PTL_RETAIN, &me), "PtlMEAttach");
    support_attach(me, tagged(3), PTL_RETAIN);
    CHECK_EQ(taker(0, 0x123456789abcdef0u), 3, "all bits ignored: everything matches");
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
}

static void match_process(void)
{
    ptl_process_id_t self = support_self(), id;
    ptl_handle_me_t me;
    const struct {
        ptl_addr_kind_t kind;
        ptl_id_t first, second;
        bool matches;
    } cases[] = {
        {PTL_ADDR_GID, self.gid, self.rid, true},      {PTL_ADDR_GID, self.gid, PTL_ID_ANY, true},
        {PTL_ADDR_GID, PTL_ID_ANY, self.rid, true},    {PTL_ADDR_GID, self.gid, self.rid + 1, false},
        {PTL_ADDR_GID, self.gid + 1, self.rid, false}, {PTL_ADDR_GID, self.gid + 1, PTL_ID_ANY, false},
        {PTL_ADDR_NID, self.nid, self.pid, true},      {PTL_ADDR_NID, self.nid, PTL_ID_ANY, true},
        {PTL_ADDR_NID, PTL_ID_ANY, self.pid, true},    {PTL_ADDR_NID, PTL_ID_ANY, PTL_ID_ANY, true},
        {PTL_ADDR_NID, self.nid + 1, self.pid, false}, {PTL_ADDR_NID, self.nid, self.pid + 1, false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool by_gid = cases[i].kind == PTL_ADDR_GID;

        /* The pair that does not count holds garbage. */
        id = (ptl_process_id_t){.addr_kind = cases[i].kind,
                                .nid = by_gid ? 1 : cases[i].first,
                                .pid = by_gid ? 2 : cases[i].second,
                                .gid = by_gid ? cases[i].first : 3,
                                .rid = by_gid ? cases[i].second : 4};
        support_must(PtlMEAttach(ni, 1, id, 0, 0, PTL_RETAIN, &me), "PtlMEAttach");
        support_attach(me, tagged(9), PTL_RETAIN);
        CHECK_EQ(taker(1, 0) == 9, cases[i].matches, "process criterion");
    }
    id = self;
    id.rid++;
    support_must(PtlMEAttach(ni, 1, id, 0, 0, PTL_RETAIN, &me), "PtlMEAttach");
    support_attach(me, tagged(9), PTL_RETAIN);
    CHECK_EQ(taker(1, 0), 0, "with both pairs both count");
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
}

static void order(void)
{
    ptl_handle_me_t middle = insert(support_entry(ni, 2, 77), PTL_INS_AFTER, PTL_RETAIN, 2), first, last;

    first = insert(middle, PTL_INS_BEFORE, PTL_RETAIN, 1);
    last = insert(middle, PTL_INS_AFTER, PTL_RETAIN, 3);
    CHECK_EQ(taker(2, 0), 1, "before");
    SUPPORT_IS(PtlMEUnlink(first), PTL_OK);
    CHECK_EQ(taker(2, 0), 2, "the entry itself");
    SUPPORT_IS(PtlMEUnlink(middle), PTL_OK);
    CHECK_EQ(taker(2, 0), 3, "after");
    first = insert(last, PTL_INS_BEFORE, PTL_RETAIN, 0);
    CHECK_EQ(taker(2, 0), 3, "an entry without descriptor is passed over");
    support_attach(first, support_md(NULL, 0, PTL_MD_OP_GET, eq), PTL_RETAIN);
    CHECK_EQ(taker(2, 0), 3, "one whose descriptor rejects, too");
    SUPPORT_IS(PtlMEUnlink(last), PTL_OK);
    CHECK_EQ(taker(2, 0), 0, "the end of the list");
    SUPPORT_IS(PtlMEUnlink(first), PTL_OK);
    SUPPORT_IS(PtlMEUnlink(first), PTL_INV_ME);
}

static void only_first_descriptor(void)
{
    ptl_handle_me_t me = support_entry(ni, 3, 0);
    ptl_md_t inactive = tagged(1);
    ptl_handle_md_t head, second;

    inactive.threshold = 0;
    head = support_attach(me, inactive, PTL_RETAIN);
    SUPPORT_IS(PtlMDInsert(tagged(2), PTL_RETAIN, PTL_INS_AFTER, head, &second), PTL_OK);
    CHECK_EQ(taker(3, 0), 0, "only the first descriptor is considered");
    SUPPORT_IS(PtlMDUnlink(head), PTL_OK);
    CHECK_EQ(taker(3, 0), 2, "the next becomes the first");
    SUPPORT_IS(PtlMDInsert(tagged(3), PTL_RETAIN, PTL_INS_BEFORE, second, &head), PTL_OK);
    CHECK_EQ(taker(3, 0), 3, "inserted before the first");
    SUPPORT_IS(PtlMDAttach(me, tagged(4), PTL_RETAIN, NULL), PTL_OK);
    CHECK_EQ(taker(3, 0), 4, "attaching replaces the list");
    SUPPORT_IS(PtlMDUnlink(second), PTL_INV_MD);
    SUPPORT_IS(PtlMDUnlink(head), PTL_INV_MD);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
}

static void unlinking(void)
{
    ptl_handle_me_t base = support_entry(ni, 4, 77), me = insert(base, PTL_INS_AFTER, PTL_UNLINK, 0);
    ptl_md_t once = tagged(1);
    ptl_handle_md_t first, second;

    once.threshold = 1;
    first = support_attach(me, once, PTL_UNLINK);
    SUPPORT_IS(PtlMDInsert(once, PTL_UNLINK, PTL_INS_AFTER, first, &second), PTL_OK);
    CHECK_EQ(taker(4, 0), 1, "the first one serves");
    SUPPORT_IS(PtlMDUnlink(first), PTL_INV_MD);
    CHECK_EQ(taker(4, 0), 1, "then the second");
    SUPPORT_IS(PtlMEUnlink(me), PTL_INV_ME);
    CHECK_EQ(taker(4, 0), 0, "then there is nobody");

    me = insert(base, PTL_INS_AFTER, PTL_RETAIN, 0);
    support_attach(me, once, PTL_UNLINK);
    CHECK_EQ(taker(4, 0), 1, "a retained entry");
    SUPPORT_IS(PtlMDAttach(me, once, PTL_UNLINK, NULL), PTL_OK);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);

    me = insert(base, PTL_INS_AFTER, PTL_UNLINK, 0);
    second = support_attach(me, once, PTL_RETAIN);
    SUPPORT_IS(PtlMDUnlink(second), PTL_OK);
    SUPPORT_IS(PtlMEUnlink(me), PTL_INV_ME);
    SUPPORT_IS(PtlMEUnlink(base), PTL_OK);
}

static void attach_replaces(void)
{
    ptl_handle_me_t old = support_entry(ni, 5, 0), second = insert(old, PTL_INS_AFTER, PTL_RETAIN, 2), me;
    ptl_handle_md_t md = support_attach(old, tagged(1), PTL_RETAIN);

    me = support_entry(ni, 5, 0);
    support_attach(me, tagged(3), PTL_RETAIN);
    CHECK_EQ(taker(5, 0), 3, "the new list");
    SUPPORT_IS(PtlMDUnlink(md), PTL_INV_MD);
    SUPPORT_IS(PtlMEUnlink(old), PTL_INV_ME);
    SUPPORT_IS(PtlMEUnlink(second), PTL_INV_ME);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
}

static void codes(void)
{
    ptl_process_id_t wrong = {.addr_kind = (ptl_addr_kind_t)99};
    ptl_handle_me_t me = support_entry(ni, 6, 0), other;

    SUPPORT_IS(PtlMEAttach((ptl_handle_ni_t){1}, 0, support_anybody(), 0, 0, PTL_RETAIN, &other), PTL_INV_NI);
    SUPPORT_IS(PtlMEAttach(ni, SUPPORT_PORTALS, support_anybody(), 0, 0, PTL_RETAIN, &other), PTL_INV_PTINDEX);
    SUPPORT_IS(PtlMEAttach(ni, SUPPORT_PORTALS - 1, support_anybody(), 0, 0, PTL_RETAIN, &other), PTL_OK);
    SUPPORT_IS(PtlMEUnlink(other), PTL_OK);
    SUPPORT_IS(PtlMEAttach(ni, 0, wrong, 0, 0, PTL_RETAIN, &other), PTL_INV_PROC);
    SUPPORT_IS(PtlMEAttach(ni, 0, support_anybody(), 0, 0, PTL_RETAIN, NULL), PTL_SEGV);
    SUPPORT_IS(PtlMEInsert(wrong, 0, 0, PTL_RETAIN, PTL_INS_AFTER, me, &other), PTL_INV_PROC);
    SUPPORT_IS(PtlMEInsert(support_anybody(), 0, 0, PTL_RETAIN, PTL_INS_AFTER, me, NULL), PTL_SEGV);
    SUPPORT_IS(PtlMEUnlink(me), PTL_OK);
    SUPPORT_IS(PtlMEInsert(support_anybody(), 0, 0, PTL_RETAIN, PTL_INS_AFTER, me, &other), PTL_INV_ME);
    SUPPORT_IS(PtlMEUnlink((ptl_handle_me_t){source.value}), PTL_INV_ME);
}

static void list_limit(void)
{
    ptl_handle_me_t me = support_entry(ni, 7, 0), other = me;
    int count = 1, code;

    while ((code = PtlMEInsert(support_anybody(), 1, 0, PTL_RETAIN, PTL_INS_AFTER, me, &other)) == PTL_OK) {
        count++;
    }
    CHECK_EQ(code, PTL_ML_TOOLONG, "a list has an end");
    CHECK_EQ(count, PTL_MAX_MATCH_LIST, "and it is where the header says");
    SUPPORT_IS(PtlMEUnlink(other), PTL_OK);
    SUPPORT_IS(PtlMEInsert(support_anybody(), 1, 0, PTL_RETAIN, PTL_INS_AFTER, me, &other), PTL_OK);
    (void)support_entry(ni, 7, 0);
    SUPPORT_IS(PtlMEUnlink(me), PTL_INV_ME);
}

int main(void)
{
    ni = support_open();
    eq = support_eq(ni, 16);
    source = support_bind(ni, support_md(NULL, 0, 0, PTL_EQ_NONE));
    TAP_RUN(match_bits);
    TAP_RUN(match_process);
    TAP_RUN(order);
    TAP_RUN(only_first_descriptor);
    TAP_RUN(unlinking);
    TAP_RUN(attach_replaces);
    TAP_RUN(codes);
    TAP_RUN(list_limit);
    PtlFini();
    return tap_done();
}

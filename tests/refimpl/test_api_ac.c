/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The access control table (2.3, 3.9).
 */
#include "tests/refimpl/support.h"

static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static ptl_handle_md_t source;

/* Whether a put with this cookie reaches a portal; what does not must be counted. */
static bool reaches(ptl_pt_index_t portal, ptl_ac_index_t cookie)
{
    ptl_sr_value_t before = support_drops(ni);
    ptl_event_t event;

    support_must(PtlPut(source, PTL_NOACK_REQ, support_self(), portal, cookie, 0, 0), "PtlPut");
    if (PtlEQGet(eq, &event) == PTL_OK) {
        CHECK_EQ(support_drops(ni), before, "what is admitted is not counted");
        return true;
    }
    CHECK_EQ(support_drops(ni), before + 1, "what is not admitted is counted");
    return false;
}

static void predefined(void)
{
    for (ptl_pt_index_t portal = 0; portal < SUPPORT_PORTALS; portal++) {
        support_attach(support_entry(ni, portal, 0), support_md(NULL, 0, PTL_MD_OP_PUT, eq), PTL_RETAIN);
        CHECK(reaches(portal, 0), "entry 0 admits the group to all portals");
    }
    CHECK(!reaches(0, 1), "entry 1 is for system processes, of which this is none");
    for (ptl_ac_index_t cookie = 2; cookie < SUPPORT_ACCESSES; cookie++) {
        CHECK(!reaches(0, cookie), "the rest admits nobody");
    }
    CHECK(!reaches(0, SUPPORT_ACCESSES), "an index outside the table");
    CHECK(!reaches(0, 0xffffffffu), "an index far outside the table");
    CHECK(!reaches(SUPPORT_PORTALS, 0), "a portal outside the table");
    CHECK(!reaches(0xffffffffu, 0), "a portal far outside the table");
}

static void rules(void)
{
    ptl_process_id_t self = support_self(), other = self;

    other.rid++;
    SUPPORT_IS(PtlACEntry(ni, 2, self, 3), PTL_OK);
    CHECK(reaches(3, 2), "the process and the portal fit");
    CHECK(!reaches(4, 2), "another portal");
    CHECK(!reaches(3, 3), "another entry");
    SUPPORT_IS(PtlACEntry(ni, 2, self, PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(reaches(3, 2) && reaches(4, 2), "any portal");
    SUPPORT_IS(PtlACEntry(ni, 2, other, PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(!reaches(3, 2), "another process; the last rule counts");
    other.addr_kind = PTL_ADDR_GID;
    other.rid = PTL_ID_ANY;
    SUPPORT_IS(PtlACEntry(ni, 2, other, PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(reaches(3, 2), "any rank");
    SUPPORT_IS(PtlACEntry(ni, 2, support_anybody(), PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(reaches(3, 2), "anybody");
    other = (ptl_process_id_t){.addr_kind = PTL_ADDR_NID, .nid = self.nid, .pid = PTL_ID_ANY};
    SUPPORT_IS(PtlACEntry(ni, 2, other, PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(reaches(3, 2), "any process of the node");
    other.nid++;
    SUPPORT_IS(PtlACEntry(ni, 2, other, PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(!reaches(3, 2), "of another node");
    other = self;
    other.rid++;
    SUPPORT_IS(PtlACEntry(ni, 0, other, PTL_PT_INDEX_ANY), PTL_OK);
    CHECK(!reaches(3, 0), "entry 0 can be tightened");
}

static void codes(void)
{
    ptl_process_id_t self = support_self(), wrong = {.addr_kind = (ptl_addr_kind_t)-1};

    SUPPORT_IS(PtlACEntry((ptl_handle_ni_t){eq.value}, 2, self, 0), PTL_INV_NI);
    SUPPORT_IS(PtlACEntry(ni, SUPPORT_ACCESSES, self, 0), PTL_AC_INV_INDEX);
    SUPPORT_IS(PtlACEntry(ni, 0xffffffffu, self, 0), PTL_AC_INV_INDEX);
    SUPPORT_IS(PtlACEntry(ni, 2, wrong, 0), PTL_INV_PROC);
    SUPPORT_IS(PtlACEntry(ni, 2, self, SUPPORT_PORTALS), PTL_PT_INV_INDEX);
    SUPPORT_IS(PtlACEntry(ni, SUPPORT_ACCESSES - 1, self, SUPPORT_PORTALS - 1), PTL_OK);
}

int main(void)
{
    ni = support_open();
    eq = support_eq(ni, 16);
    source = support_bind(ni, support_md(NULL, 0, 0, PTL_EQ_NONE));
    TAP_RUN(predefined);
    TAP_RUN(rules);
    TAP_RUN(codes);
    PtlFini();
    return tap_done();
}

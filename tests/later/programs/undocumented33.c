/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls that the document does not have and that programs of the time make: ranks without an interface, a wait for so
 * many seconds, and what prints entries and queues. Each rank puts into the next one.
 */
#include <portals3.h>
#include P3_NAL
#include <p3api/debug.h>
#include <p3rt/p3rt.h>
#include <time.h>

#include "tests/later/programs/must.h"

enum { PORTAL = 5, EVENTS = 8 };

/* Programs declare these themselves, too. */
extern unsigned int utcp_my_nid(const char *if_str);
extern int PtlGetRank(ptl_handle_ni_t ni, unsigned *rank, unsigned *size);

FILE *utcp_api_out, *utcp_lib_out;

static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static char text[16];

static ptl_handle_me_t post(void)
{
    const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};
    ptl_md_t md = {.start = text, .length = sizeof text, .threshold = 2, .options = PTL_MD_OP_PUT, .eq_handle = eq};
    ptl_handle_me_t me;

    md.options |= PTL_MD_EVENT_START_DISABLE;
    OK(PtlMEAttach(ni, PORTAL, anybody, 0x55, 0xf00, PTL_UNLINK, PTL_INS_AFTER, &me));
    OK(PtlMDAttach(me, md, PTL_UNLINK, NULL));
    return me;
}

/* Waits end when their time is over, and not before, or when an event is there. */
static void waits(void)
{
    time_t begun = time(NULL);
    ptl_event_t event;

    MUST(PtlEQWait_timeout(eq, &event, 0) == PTL_EQ_EMPTY);
    MUST(PtlEQWait_timeout(eq, &event, -1) == PTL_EQ_EMPTY);
    MUST(PtlEQWait_timeout(eq, &event, 2) == PTL_EQ_EMPTY && time(NULL) - begun >= 1);
    MUST(PtlEQWait_timeout(PTL_INVALID_HANDLE, &event, 1) == PTL_EQ_INVALID);
}

static void prints(ptl_handle_me_t me)
{
    MUST(PtlMEDump(PTL_INVALID_HANDLE) == PTL_ME_INVALID && PtlNIEqDump(PTL_INVALID_HANDLE) == PTL_NI_INVALID);
    MUST(PtlTblDump(ni, -1) == PTL_PT_INDEX_INVALID && PtlTblDump(PTL_INVALID_HANDLE, 0) == PTL_NI_INVALID);
    OK(PtlMEDump(me));
    OK(PtlTblDump(ni, PORTAL));
    OK(PtlTblDump(ni, PORTAL + 1));
    OK(PtlNIEqDump(ni));
}

int main(void)
{
    unsigned rank, size, again, same;
    ptl_process_id_t self, next, named;
    ptl_handle_md_t source;
    ptl_md_t md = {.start = "a word", .length = 7, .threshold = 1, .eq_handle = PTL_EQ_NONE};
    ptl_handle_me_t me;
    ptl_event_t event;

    utcp_api_out = utcp_lib_out = stderr;
    MUST(utcp_my_nid("eth0") != 0);
    OK(PtlInit(NULL));
    OK(PtlGetRank(&rank, &size));
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, NULL, &ni));
    OK(PtlGetRank(ni, &again, &same));
    MUST(rank == again && size == same);
    OK(PtlGetId(ni, &self));
    MUST(self.nid == utcp_my_nid(NULL));
    OK(PtlGetRankId((rank + 1) % size, &next));
    OK(PtlGetRankId(ni, (rank + 1) % size, &named));
    MUST(next.nid == named.nid && next.pid == named.pid);
    MUST(PtlGetRankId(size, &next) == PTL_FAIL && PtlGetRank(NULL, &size) == PTL_SEGV);
    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &eq));
    me = post();
    waits();
    OK(PtlRTBarrier(ni));
    OK(PtlMDBind(ni, md, PTL_UNLINK, &source));
    OK(PtlPut(source, PTL_NOACK_REQ, named, PORTAL, 0, 0x55, 0, 0));
    OK(PtlEQWait_timeout(eq, &event, 60));
    MUST(event.type == PTL_EVENT_PUT_END && event.mlength == 7);
    if (rank == 0) {
        prints(me);
        puts("right");
    }
    OK(PtlRTBarrier(ni));
    PtlFini();
    return 0;
}

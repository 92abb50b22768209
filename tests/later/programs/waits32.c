/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls that the document of Portals 3.2 does not have and that file systems of the time make: a wait for so many
 * seconds, and a handle as text. A process puts into memory of its own.
 */
#include <portals/p30.h>
#include <string.h>
#include <time.h>

#include "tests/later/programs/must.h"

enum { EVENTS = 8, MESSAGES = 3 };

static ptl_handle_ni_t ni;
static ptl_handle_eq_t eq;
static char text[16];

static void texts(void)
{
    char whole[32], part[4] = "...";

    PtlSnprintHandle(whole, sizeof whole, eq);
    PtlSnprintHandle(part, sizeof part, eq);
    MUST(strncmp(whole, "0x", 2) == 0 && strtoull(whole, NULL, 16) == eq);
    MUST(strlen(part) == 3 && strncmp(whole, part, 3) == 0);
    PtlSnprintHandle(part, 0, ni);
    PtlSnprintHandle(part, -1, ni);
    MUST(strncmp(whole, part, 3) == 0);
}

/* Waits end when their time is over, and not before. */
static void waits_in_vain(void)
{
    struct timespec begun, ended;
    ptl_event_t event;

    MUST(PtlEQWait_timeout(eq, &event, 0) == PTL_EQ_EMPTY && PtlEQWait_timeout(eq, &event, -1) == PTL_EQ_EMPTY);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    MUST(PtlEQWait_timeout(eq, &event, 1) == PTL_EQ_EMPTY);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    MUST((ended.tv_sec - begun.tv_sec) * 1000 + (ended.tv_nsec - begun.tv_nsec) / 1000000 >= 999);
    MUST(PtlEQWait_timeout(PTL_INVALID_HANDLE, &event, 1) == PTL_INV_EQ);
    MUST(PtlEQWait_timeout(eq, NULL, 1) == PTL_SEGV);
}

/* Events are taken in their order, and the one that is left of a full queue tells of a loss. */
static void waits_for_events(ptl_process_id_t self, ptl_pt_index_t portal)
{
    ptl_md_t md = {.start = "a word", .length = 7, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};
    ptl_handle_md_t source;
    ptl_event_t event;

    OK(PtlMDBind(ni, md, &source));
    for (ptl_hdr_data_t i = 0; i < MESSAGES; i++) {
        OK(PtlPut(source, PTL_NOACK_REQ, self, portal, 0, 5, 0, i));
        OK(PtlEQWait_timeout(eq, &event, 60));
        MUST(event.type == PTL_EVENT_PUT_START && event.hdr_data == i);
        OK(PtlEQWait_timeout(eq, &event, 60));
        MUST(event.type == PTL_EVENT_PUT_END && event.hdr_data == i && strcmp(text, "a word") == 0);
    }
    for (int i = 0; i < EVENTS; i++) {
        OK(PtlPut(source, PTL_NOACK_REQ, self, portal, 0, 5, 0, 0));
    }
    while (PtlMDUnlink(source) == PTL_MD_INUSE) {
    }
    MUST(PtlEQWait_timeout(eq, &event, 60) == PTL_EQ_DROPPED);
}

int main(void)
{
    ptl_md_t md = {.start = text, .length = sizeof text, .threshold = PTL_MD_THRESH_INF};
    ptl_event_t event;
    ptl_process_id_t self;
    ptl_pt_index_t portal;
    ptl_handle_me_t me;

    MUST(PtlEQWait_timeout(eq, &event, 0) == PTL_NOINIT);
    OK(PtlInit(NULL));
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, NULL, &ni));
    OK(PtlGetId(ni, &self));
    OK(PtlEQAlloc(ni, EVENTS, NULL, &eq));
    texts();
    waits_in_vain();
    OK(PtlMEAttachAny(ni, &portal, self, 5, 0, PTL_RETAIN, &me));
    md.options = PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE;
    md.max_offset = sizeof text;
    md.eventq = eq;
    OK(PtlMDAttach(me, md, PTL_RETAIN, PTL_RETAIN, NULL));
    waits_for_events(self, portal);
    puts("right");
    PtlFini();
    return 0;
}

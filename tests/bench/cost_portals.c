/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What one message of Portals costs, for tests/scenario/test_message_cost.py: two ranks, some hundred messages of each
 * kind. System calls and allocations it counts itself; instructions are counted by who runs it under valgrind.
 */
#include "ref-impl/include/portals.h"
#include "tests/bench/counted.h"

#include <stdio.h>
#include <unistd.h>

enum { WINDOW = 64, WINDOWS = 16, MESSAGES = WINDOW * WINDOWS };

static ptl_process_id_t self, other;
static ptl_handle_ni_t ni;
static ptl_handle_eq_t came, went;
static ptl_handle_md_t silent, heard;
static char in[8], out[8];

static void demand(int code, const char *call)
{
    if (code != PTL_OK) {
        fprintf(stderr, "cost_portals: rank %u: %s returned %d\n", (unsigned)self.rid, call, code);
        _exit(1);
    }
}

static void prepare(void)
{
    ptl_process_id_t anybody = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_md_t room = {.start = in,
                     .length = sizeof in,
                     .threshold = PTL_MD_THRESH_INF,
                     .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE};
    ptl_md_t from = {.start = out, .length = sizeof out, .threshold = PTL_MD_THRESH_INF, .eventq = PTL_EQ_NONE};
    ptl_handle_me_t me;
    ptl_handle_md_t md;
    ptl_id_t size = 0;

    demand(PtlInit(), "PtlInit");
    demand(PtlGetId(&self, &size), "PtlGetId");
    demand(size == 2 ? PTL_OK : PTL_FAIL, "the job's size");
    other = (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .gid = self.gid, .rid = 1 - self.rid};
    demand(PtlNIInit(PTL_IFACE_DEFAULT, 4, 4, &ni), "PtlNIInit");
    demand(PtlEQAlloc(ni, 1024, &came), "PtlEQAlloc");
    demand(PtlEQAlloc(ni, 1024, &went), "PtlEQAlloc");
    room.eventq = came;
    demand(PtlMEAttach(ni, 0, anybody, 0, 0, PTL_RETAIN, &me), "PtlMEAttach");
    demand(PtlMDAttach(me, room, PTL_RETAIN, &md), "PtlMDAttach");
    room.eventq = PTL_EQ_NONE;
    demand(PtlMEAttach(ni, 1, anybody, 0, 0, PTL_RETAIN, &me), "PtlMEAttach");
    demand(PtlMDAttach(me, room, PTL_RETAIN, &md), "PtlMDAttach");
    demand(PtlMDBind(ni, from, &silent), "PtlMDBind");
    from.eventq = went;
    demand(PtlMDBind(ni, from, &heard), "PtlMDBind");
    demand(PtlNIBarrier(ni), "PtlNIBarrier");
}

static void hear(void)
{
    ptl_event_t event;

    demand(PtlEQWait(came, &event), "PtlEQWait");
}

static void speak(void)
{
    demand(PtlPut(silent, PTL_NOACK_REQ, other, 0, 0, 0, 0), "PtlPut");
}

/* Rank 0 sends a window of messages, rank 1 hears it and answers once. */
static void puts_alone(void)
{
    for (int w = 0; w < WINDOWS; w++) {
        for (int i = 0; i < WINDOW; i++) {
            if (self.rid == 0) {
                speak();
            } else {
                hear();
            }
        }
        if (self.rid == 0) {
            hear();
        } else {
            speak();
        }
    }
}

/* Rank 0 has so many requests answered at a time; of rank 1 nobody does anything but wait for the end. */
static void answered(int (*ask)(void), ptl_event_kind_t last)
{
    if (self.rid == 1) {
        hear();
        return;
    }
    for (int w = 0; w < WINDOWS; w++) {
        for (int i = 0; i < WINDOW; i++) {
            demand(ask(), "asking");
        }
        for (int left = WINDOW; left > 0;) {
            ptl_event_t event;

            demand(PtlEQWait(went, &event), "PtlEQWait");
            left -= event.type == last;
        }
    }
    speak();
}

static int ask_put(void)
{
    return PtlPut(heard, PTL_ACK_REQ, other, 1, 0, 0, 0);
}

static int ask_get(void)
{
    return PtlGet(heard, other, 1, 0, 0, 0);
}

static void kind(const char *name, int (*ask)(void), ptl_event_kind_t last)
{
    demand(PtlNIBarrier(ni), "PtlNIBarrier");
    counted_begin();
    if (ask) {
        answered(ask, last);
    } else {
        puts_alone();
    }
    counted_end(name, self.rid, MESSAGES);
}

int main(void)
{
    prepare();
    kind("put", NULL, PTL_EVENT_PUT);
    kind("put_ack", ask_put, PTL_EVENT_ACK);
    kind("get", ask_get, PTL_EVENT_REPLY);
    demand(PtlNIBarrier(ni), "PtlNIBarrier");
    demand(PtlNIFini(ni), "PtlNIFini");
    PtlFini();
    return 0;
}

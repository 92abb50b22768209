/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Three interfaces are open at once, and what is on one of them is not on another: on the first all tell all, on the
 * second only lower ranks speak, on the third higher ones do, and are answered.
 */
#include <p3rt/p3rt.h>
#include <portals3.h>

#include "tests/later/programs/must.h"

enum { PORTAL = 4, INTERFACES = 3, MOST = 16, EVENTS = 128 };

/* What a process shows on one of its interfaces: a place for each rank to write to, read by an acknowledged put. */
struct shown {
    ptl_handle_ni_t ni;
    ptl_handle_eq_t events;
    ptl_handle_md_t own;
    int value;
    int places[MOST];
};

static const ptl_interface_t numbers[INTERFACES] = {PTL_IFACE_DEFAULT, PTL_IFACE_MYR, PTL_IFACE_UTCP};
static struct shown shown[INTERFACES];

static void show(struct shown *here, ptl_interface_t number)
{
    ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF, .options = PTL_MD_EVENT_START_DISABLE};
    ptl_handle_me_t me;

    OK(PtlNIInit(number, PTL_PID_ANY, NULL, NULL, &here->ni));
    OK(PtlEQAlloc(here->ni, EVENTS, PTL_EQ_HANDLER_NONE, &md.eq_handle));
    OK(PtlMEAttach(here->ni, PORTAL, anybody, number, 0, PTL_RETAIN, PTL_INS_AFTER, &me));
    here->events = md.eq_handle;
    md.start = &here->value;
    md.length = sizeof here->value;
    OK(PtlMDBind(here->ni, md, PTL_RETAIN, &here->own));
    md.start = here->places;
    md.length = sizeof here->places;
    md.options |= PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE;
    OK(PtlMDAttach(me, md, PTL_RETAIN, NULL));
}

static void tell(const struct shown *here, ptl_interface_t number, unsigned from, unsigned to)
{
    ptl_process_id_t peer;

    OK(PtlGetRankId(shown[0].ni, to, &peer));
    OK(PtlPut(here->own, number == PTL_IFACE_MYR ? PTL_NOACK_REQ : PTL_ACK_REQ, peer, PORTAL, 0, number,
              from * sizeof here->value, 0));
}

/* Until `puts` have come and `acks` were received. */
static void await(const struct shown *here, unsigned puts, unsigned acks)
{
    ptl_event_t event;

    while (puts + acks > 0) {
        OK(PtlEQWait(here->events, &event));
        MUST(event.type != PTL_EVENT_PUT_END || puts-- > 0);
        MUST(event.type != PTL_EVENT_ACK || acks-- > 0);
    }
}

int main(void)
{
    unsigned rank, size;

    OK(PtlInit(NULL));
    for (int i = 0; i < INTERFACES; i++) {
        show(&shown[i], numbers[i]);
    }
    OK(PtlGetRank(shown[0].ni, &rank, &size));
    MUST(size <= MOST);
    for (int i = 0; i < INTERFACES; i++) {
        shown[i].value = (int)rank * INTERFACES + i + 1;
    }
    OK(PtlRTBarrier(shown[0].ni));
    for (unsigned peer = 0; peer < size; peer++) {
        tell(&shown[0], numbers[0], rank, peer);
        if (peer != rank) {
            int which = rank < peer ? 1 : 2;
            tell(&shown[which], numbers[which], rank, peer);
        }
    }
    await(&shown[0], size, size);
    await(&shown[1], rank, 0);
    await(&shown[2], size - 1 - rank, rank);
    for (unsigned peer = 0; peer < size; peer++) {
        MUST(shown[0].places[peer] == (int)peer * INTERFACES + 1);
        MUST(shown[1].places[peer] == (peer < rank ? (int)peer * INTERFACES + 2 : 0));
        MUST(shown[2].places[peer] == (peer > rank ? (int)peer * INTERFACES + 3 : 0));
    }
    OK(PtlRTBarrier(shown[0].ni));
    if (rank == 0) {
        puts("right");
    }
    PtlFini();
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * As conduits for Cray's systems begin: rank, size and map by the runtime calls of Catamount, before Portals is asked
 * for anything; an interface by bridge and network; then each process writes its rank to all others.
 */
#include <catamount/cnos_mpi_os.h>
#include <portals/nal.h>
#include <portals/portals3.h>

#include "tests/later/programs/must.h"

enum { PORTAL = 4, MOST = 64, EVENTS = 256 };

static const int bridge = PTL_BRIDGE_UK, nal = PTL_IFACE_SS;

static ptl_handle_ni_t begin(int rank, const cnos_nidpid_map_t *map)
{
    ptl_ni_limits_t limits;
    ptl_process_id_t self;
    ptl_handle_ni_t ni;

    OK(PtlNIInit(IFACE_FROM_BRIDGE_AND_NALID(bridge, nal), PTL_PID_ANY, NULL, &limits, &ni));
    OK(PtlGetId(ni, &self));
    MUST(self.nid == map[rank].nid && self.pid == map[rank].pid);
    MUST(cnos_barrier_init(ni) == 0 && cnos_launcher() != CNOS_LAUNCHER_YOD);
    return ni;
}

static void tell_all(ptl_handle_ni_t ni, int rank, int size, const cnos_nidpid_map_t *map)
{
    static int ranks[MOST];
    ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};
    ptl_md_t md = {.threshold = PTL_MD_THRESH_INF, .options = PTL_MD_EVENT_START_DISABLE};
    ptl_handle_me_t me;
    ptl_handle_md_t in, out;

    OK(PtlEQAlloc(ni, EVENTS, PTL_EQ_HANDLER_NONE, &md.eq_handle));
    OK(PtlMEAttach(ni, PORTAL, anybody, 0, 0, PTL_RETAIN, PTL_INS_AFTER, &me));
    md.start = &rank;
    md.length = sizeof rank;
    OK(PtlMDBind(ni, md, PTL_RETAIN, &out));
    md.start = ranks;
    md.length = sizeof ranks;
    md.options |= PTL_MD_OP_PUT | PTL_MD_MANAGE_REMOTE;
    OK(PtlMDAttach(me, md, PTL_RETAIN, &in));
    MUST(cnos_barrier() == 0);
    for (int i = 0; i < size; i++) {
        ptl_process_id_t peer = {map[i].nid, map[i].pid};

        OK(PtlPut(out, PTL_NOACK_REQ, peer, PORTAL, 0, 0, (ptl_size_t)rank * sizeof rank, 0));
    }
    for (int came = 0; came < size;) {
        ptl_event_t event;

        OK(PtlEQWait(md.eq_handle, &event));
        came += event.type == PTL_EVENT_PUT_END;
    }
    for (int i = 0; i < size; i++) {
        MUST(ranks[i] == i);
    }
    MUST(cnos_barrier() == 0);
}

int main(void)
{
    int rank = cnos_get_rank(), size = cnos_get_size(), interfaces;
    cnos_nidpid_map_t *map = NULL;

    MUST(rank >= 0 && size > rank && size <= MOST);
    MUST(cnos_get_nidpid_map(&map) == size);
    OK(PtlInit(&interfaces));
    tell_all(begin(rank, map), rank, size, map);
    if (rank == 0) {
        puts("right");
    }
    free(map);
    PtlFini();
    return 0;
}

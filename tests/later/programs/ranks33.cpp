// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The runtime's calls in C++, with an interface and without.
#include <portals3.h>
#include P3_NAL
#include <p3api/debug.h>
#include <p3rt/p3rt.h>

#include "tests/later/programs/must.h"

int main()
{
    unsigned rank, size, again, same;
    ptl_process_id_t one, other;
    ptl_handle_ni_t ni;
    int interfaces;

    OK(PtlInit(&interfaces));
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, NULL, NULL, &ni));
    OK(PtlGetRank(&rank, &size));
    OK(PtlGetRank(ni, &again, &same));
    MUST(rank == again && size == same && utcp_my_nid("lo") != 0);
    for (unsigned i = 0; i < size; i++) {
        OK(PtlGetRankId(i, &one));
        OK(PtlGetRankId(ni, i, &other));
        MUST(one.nid == other.nid && one.pid == other.pid);
    }
    OK(PtlTblDump(ni, 0));
    OK(PtlRTBarrier(ni));
    if (rank == 0) {
        puts("right");
    }
    PtlFini();
}

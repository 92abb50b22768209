/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a program of Portals 3.3 becomes a member of its job, and ends with it. Included by one file of a program.
 */
#ifndef TESTS_LATER_MEMBER33_H
#define TESTS_LATER_MEMBER33_H

#include <p3rt/p3rt.h>
#include <portals3.h>

#include "tests/later/programs/must.h"

static const ptl_process_id_t anybody = {PTL_NID_ANY, PTL_PID_ANY};
static ptl_handle_ni_t ni;
static unsigned rank, size;

/* member_begin - opens the default interface with these limits, or with any for NULL, and learns its rank. */
static inline void member_begin(ptl_ni_limits_t *desired)
{
    OK(PtlInit(NULL));
    OK(PtlNIInit(PTL_IFACE_DEFAULT, PTL_PID_ANY, desired, NULL, &ni));
    OK(PtlGetRank(ni, &rank, &size));
}

/* member_end - waits for all members, has rank 0 say that all is right, and closes the interface; 0, for main. */
static inline int member_end(void)
{
    OK(PtlRTBarrier(ni));
    if (rank == 0) {
        puts("right");
    }
    OK(PtlNIFini(ni));
    PtlFini();
    return 0;
}

#endif

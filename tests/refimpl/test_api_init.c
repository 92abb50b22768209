/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation and cleanup (3.3) and process identification (3.4), for a process that is alone.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/refimpl/support.h"

/* All 25 functions that have a return code and are not PtlInit. */
static void nothing_works_without_init(const char *when)
{
    ptl_handle_ni_t ni = {0};
    ptl_handle_me_t me = {0};
    ptl_handle_md_t md = {0};
    ptl_handle_eq_t eq = {0};
    ptl_process_id_t id = {0};
    ptl_id_t size;
    ptl_md_t desc = {0};
    ptl_event_t event;
    ptl_size_t count;
    ptl_sr_value_t value;
    double distance;

    printf("# %s\n", when);
    SUPPORT_IS(PtlGetId(&id, &size), PTL_NOINIT);
    SUPPORT_IS(PtlTransId(&id), PTL_NOINIT);
    SUPPORT_IS(PtlNIInit(PTL_IFACE_DEFAULT, 8, 8, &ni), PTL_NOINIT);
    SUPPORT_IS(PtlNIFini(ni), PTL_NOINIT);
    SUPPORT_IS(PtlNIBarrier(ni), PTL_NOINIT);
    SUPPORT_IS(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &value), PTL_NOINIT);
    SUPPORT_IS(PtlNIDist(ni, id, &distance), PTL_NOINIT);
    SUPPORT_IS(PtlNIHandle(PTL_HANDLE_ANY(ni), &ni), PTL_NOINIT);
    SUPPORT_IS(PtlMEAttach(ni, 0, id, 0, 0, PTL_RETAIN, &me), PTL_NOINIT);
    SUPPORT_IS(PtlMEInsert(id, 0, 0, PTL_RETAIN, PTL_INS_AFTER, me, &me), PTL_NOINIT);
    SUPPORT_IS(PtlMEUnlink(me), PTL_NOINIT);
    SUPPORT_IS(PtlMDAttach(me, desc, PTL_RETAIN, &md), PTL_NOINIT);
    SUPPORT_IS(PtlMDInsert(desc, PTL_RETAIN, PTL_INS_AFTER, md, &md), PTL_NOINIT);
    SUPPORT_IS(PtlMDBind(ni, desc, &md), PTL_NOINIT);
    SUPPORT_IS(PtlMDUnlink(md), PTL_NOINIT);
    SUPPORT_IS(PtlMDUpdate(md, NULL, NULL, PTL_EQ_NONE), PTL_NOINIT);
    SUPPORT_IS(PtlEQAlloc(ni, 1, &eq), PTL_NOINIT);
    SUPPORT_IS(PtlEQFree(eq), PTL_NOINIT);
    SUPPORT_IS(PtlEQCount(eq, &count), PTL_NOINIT);
    SUPPORT_IS(PtlEQGet(eq, &event), PTL_NOINIT);
    SUPPORT_IS(PtlEQWait(eq, &event), PTL_NOINIT);
    SUPPORT_IS(PtlACEntry(ni, 0, id, 0), PTL_NOINIT);
    SUPPORT_IS(PtlPut(md, PTL_ACK_REQ, id, 0, 0, 0, 0), PTL_NOINIT);
    SUPPORT_IS(PtlGet(md, id, 0, 0, 0, 0), PTL_NOINIT);
}

static void identity(void)
{
    ptl_process_id_t id, other;
    ptl_id_t size = 0;

    memset(&id, 0xee, sizeof(id));
    SUPPORT_IS(PtlGetId(&id, &size), PTL_OK);
    CHECK_EQ(id.addr_kind, PTL_ADDR_BOTH, "all ids are given");
    CHECK_EQ(size, 1, "alone");
    CHECK_EQ(id.rid, 0, "so of rank 0");
    SUPPORT_IS(PtlGetId(NULL, &size), PTL_SEGV);
    SUPPORT_IS(PtlGetId(&id, NULL), PTL_SEGV);
    SUPPORT_IS(PtlGetId(support_unmapped(), &size), PTL_SEGV);

    other = (ptl_process_id_t){.addr_kind = PTL_ADDR_NID, .nid = id.nid, .pid = id.pid, .gid = 1, .rid = 2};
    SUPPORT_IS(PtlTransId(&other), PTL_OK);
    CHECK_MEM(&other, &id, sizeof(id), "translated from node and process id");
    other = (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .nid = 1, .pid = 2, .gid = id.gid, .rid = id.rid};
    SUPPORT_IS(PtlTransId(&other), PTL_OK);
    CHECK_MEM(&other, &id, sizeof(id), "translated from group and rank id");
    SUPPORT_IS(PtlTransId(&other), PTL_OK);
    CHECK_MEM(&other, &id, sizeof(id), "both pairs stay what they are");
    other.rid = 1;
    SUPPORT_IS(PtlTransId(&other), PTL_ADDR_UNKNOWN);
    other.addr_kind = PTL_ADDR_GID;
    SUPPORT_IS(PtlTransId(&other), PTL_ADDR_UNKNOWN);
    CHECK_EQ(other.addr_kind, PTL_ADDR_GID, "a failed translation changes nothing");
    other.gid = other.rid = PTL_ID_ANY;
    SUPPORT_IS(PtlTransId(&other), PTL_ADDR_UNKNOWN);
    SUPPORT_IS(PtlTransId(NULL), PTL_SEGV);
}

/* A job whose directory nobody serves: PtlInit fails, and nothing keeps a later one from succeeding. */
static void no_job(void)
{
    setenv("ASSAY_JOB", "127.0.0.1:1", 1);
    setenv("ASSAY_JOB_KEY", "00112233445566778899aabbccddeeff", 1);
    setenv("ASSAY_RANK", "0", 1);
    setenv("ASSAY_SIZE", "1", 1);
    SUPPORT_IS(PtlInit(), PTL_FAIL);
    unsetenv("ASSAY_JOB");
    unsetenv("ASSAY_JOB_KEY");
    unsetenv("ASSAY_RANK");
    unsetenv("ASSAY_SIZE");
}

int main(void)
{
    nothing_works_without_init("before PtlInit");
    TAP_RUN(no_job);
    nothing_works_without_init("after a PtlInit that failed");
    support_open();
    SUPPORT_IS(PtlInit(), PTL_OK);
    TAP_RUN(identity);
    PtlFini();
    nothing_works_without_init("after PtlFini");
    PtlFini();
    support_open();
    TAP_RUN(identity);
    PtlFini();
    return tap_done();
}

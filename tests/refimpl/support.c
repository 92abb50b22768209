/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the tests of the reference have in common: see support.h.
 */
#include "tests/refimpl/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void support_must(int code, const char *what)
{
    if (code != PTL_OK) {
        printf("Bail out! %s failed with code %d\n", what, code);
        exit(2);
    }
}

ptl_handle_ni_t support_open(void)
{
    ptl_handle_ni_t ni;

    setenv("ASSAY_NAL", "loop", 0);
    unsetenv("ASSAY_JOB");
    unsetenv("PMIX_NAMESPACE");
    support_must(PtlInit(), "PtlInit");
    support_must(PtlNIInit(PTL_IFACE_DEFAULT, SUPPORT_PORTALS, SUPPORT_ACCESSES, &ni), "PtlNIInit");
    return ni;
}

ptl_process_id_t support_self(void)
{
    ptl_process_id_t id;
    ptl_id_t size;

    support_must(PtlGetId(&id, &size), "PtlGetId");
    return id;
}

ptl_process_id_t support_anybody(void)
{
    return (ptl_process_id_t){.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
}

ptl_md_t support_md(void *start, ptl_size_t length, unsigned options, ptl_handle_eq_t eventq)
{
    return (ptl_md_t){
        .start = start, .length = length, .threshold = PTL_MD_THRESH_INF, .options = options, .eventq = eventq};
}

ptl_handle_eq_t support_eq(ptl_handle_ni_t ni, ptl_size_t count)
{
    ptl_handle_eq_t eq;

    support_must(PtlEQAlloc(ni, count, &eq), "PtlEQAlloc");
    return eq;
}

ptl_handle_md_t support_bind(ptl_handle_ni_t ni, ptl_md_t md)
{
    ptl_handle_md_t handle;

    support_must(PtlMDBind(ni, md, &handle), "PtlMDBind");
    return handle;
}

ptl_handle_me_t support_entry(ptl_handle_ni_t ni, ptl_pt_index_t portal, ptl_match_bits_t bits)
{
    ptl_handle_me_t me;

    support_must(PtlMEAttach(ni, portal, support_anybody(), bits, 0, PTL_RETAIN, &me), "PtlMEAttach");
    return me;
}

ptl_handle_md_t support_attach(ptl_handle_me_t me, ptl_md_t md, ptl_unlink_t unlink)
{
    ptl_handle_md_t handle;

    support_must(PtlMDAttach(me, md, unlink, &handle), "PtlMDAttach");
    return handle;
}

int support_put(ptl_handle_md_t md, ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_size_t offset)
{
    return PtlPut(md, PTL_NOACK_REQ, support_self(), portal, 0, bits, offset);
}

int support_get(ptl_handle_md_t md, ptl_pt_index_t portal, ptl_match_bits_t bits, ptl_size_t offset)
{
    return PtlGet(md, support_self(), portal, 0, bits, offset);
}

ptl_sr_value_t support_drops(ptl_handle_ni_t ni)
{
    ptl_sr_value_t drops = -1;

    support_must(PtlNIStatus(ni, PTL_SR_DROP_COUNT, &drops), "PtlNIStatus");
    return drops;
}

ptl_size_t support_events(ptl_handle_eq_t eq)
{
    ptl_size_t count = 0;

    support_must(PtlEQCount(eq, &count), "PtlEQCount");
    return count;
}

void *support_unmapped(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *address = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (address == MAP_FAILED || munmap(address, page) != 0) {
        printf("Bail out! no page to unmap\n");
        exit(2);
    }
    return address;
}

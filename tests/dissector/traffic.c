/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * A job that makes every kind of message, for a live capture: each rank enters a barrier, puts a few octets and a
 * megabyte to the next rank with acknowledgement, gets a few back, and enters a barrier again. Ends with 0 when every
 * event came.
 */
#include "ref-impl/include/portals.h"

#include <stdio.h>
#include <stdlib.h>

enum { PORTAL = 4, SMALL = 8, LARGE = 1 << 20, EVENTS = 64, SCRATCH = 16 };

static unsigned char served[LARGE], large[LARGE];

static void must(int rc, const char *what)
{
    if (rc != PTL_OK) {
        fprintf(stderr, "traffic: %s returned %d\n", what, rc);
        exit(1);
    }
}

static ptl_md_t region(void *start, ptl_size_t octets, ptl_handle_eq_t queue)
{
    ptl_md_t md = {.start = start,
                   .length = octets,
                   .threshold = PTL_MD_THRESH_INF,
                   .options = PTL_MD_OP_PUT | PTL_MD_OP_GET | PTL_MD_MANAGE_REMOTE,
                   .eventq = queue};

    return md;
}

static void serve(ptl_handle_ni_t ni)
{
    ptl_process_id_t any = {.addr_kind = PTL_ADDR_GID, .gid = PTL_ID_ANY, .rid = PTL_ID_ANY};
    ptl_handle_me_t entry;

    must(PtlMEAttach(ni, PORTAL, any, 0x2a, 0, PTL_RETAIN, &entry), "PtlMEAttach");
    must(PtlMDAttach(entry, region(served, sizeof served, PTL_EQ_NONE), PTL_RETAIN, NULL), "PtlMDAttach");
}

static void await(ptl_handle_eq_t queue, int count)
{
    ptl_event_t event;

    while (count-- > 0) {
        must(PtlEQWait(queue, &event), "PtlEQWait");
    }
}

static void move(ptl_handle_ni_t ni, ptl_process_id_t target)
{
    static unsigned char small[SMALL], back[SCRATCH];
    ptl_handle_md_t few, many, into;
    ptl_handle_eq_t queue;

    must(PtlEQAlloc(ni, EVENTS, &queue), "PtlEQAlloc");
    must(PtlMDBind(ni, region(small, sizeof small, queue), &few), "PtlMDBind");
    must(PtlMDBind(ni, region(large, sizeof large, queue), &many), "PtlMDBind");
    must(PtlMDBind(ni, region(back, sizeof back, queue), &into), "PtlMDBind");
    must(PtlPut(few, PTL_ACK_REQ, target, PORTAL, 0, 0x2a, 0), "PtlPut");
    must(PtlPut(many, PTL_ACK_REQ, target, PORTAL, 0, 0x2a, 0), "PtlPut");
    await(queue, 4); /* each put: sent and acknowledged */
    must(PtlGet(into, target, PORTAL, 0, 0x2a, 0), "PtlGet");
    await(queue, 1);
}

int main(void)
{
    ptl_process_id_t self, target;
    ptl_handle_ni_t ni;
    ptl_id_t size;

    must(PtlInit(), "PtlInit");
    must(PtlNIInit(PTL_IFACE_DEFAULT, PORTAL + 1, 2, &ni), "PtlNIInit");
    must(PtlGetId(&self, &size), "PtlGetId");
    target = self;
    target.addr_kind = PTL_ADDR_GID;
    target.rid = (self.rid + 1) % size;
    serve(ni);
    must(PtlNIBarrier(ni), "PtlNIBarrier");
    move(ni, target);
    must(PtlNIBarrier(ni), "PtlNIBarrier");
    must(PtlNIFini(ni), "PtlNIFini");
    PtlFini();
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who is who: the process of rank r is process FIRST_PID + r of the one node, and rank r of the one group.
 */
#include "tests/suts/pipes/library.h"

#include <string.h>

ptl_process_id_t identity_of(unsigned rank)
{
    ptl_process_id_t id;

    memset(&id, 0, sizeof id);
    id.addr_kind = PTL_ADDR_BOTH;
    id.nid = NODE;
    id.pid = FIRST_PID + rank;
    id.gid = GROUP;
    id.rid = rank;
    return id;
}

bool identity_is_valid(const ptl_process_id_t *id)
{
    return id->addr_kind == PTL_ADDR_NID || id->addr_kind == PTL_ADDR_GID || id->addr_kind == PTL_ADDR_BOTH;
}

static bool part_fits(ptl_id_t wanted, ptl_id_t is)
{
    return wanted == PTL_ID_ANY || wanted == is;
}

bool identity_fits(const ptl_process_id_t *wanted, unsigned rank)
{
    bool node = part_fits(wanted->nid, NODE) && part_fits(wanted->pid, FIRST_PID + rank);
    bool group = part_fits(wanted->gid, GROUP) && part_fits(wanted->rid, rank);

    return (wanted->addr_kind == PTL_ADDR_GID || node) && (wanted->addr_kind == PTL_ADDR_NID || group);
}

int identity_rank(const ptl_process_id_t *id)
{
    bool node = id->nid == NODE && id->pid >= FIRST_PID && id->pid - FIRST_PID < library.size;
    bool group = id->gid == GROUP && id->rid < library.size;

    switch (id->addr_kind) {
    case PTL_ADDR_NID:
        return node ? (int)(id->pid - FIRST_PID) : -1;
    case PTL_ADDR_GID:
        return group ? (int)id->rid : -1;
    case PTL_ADDR_BOTH:
        return node && group && id->pid - FIRST_PID == id->rid ? (int)id->rid : -1;
    }
    return -1;
}

int PtlGetId(ptl_process_id_t *id, ptl_id_t *gsize)
{
    enter();
    if (!library.up) {
        return leave(PTL_NOINIT);
    }
    if (!id || !gsize || !memory_is_there(id, sizeof *id) || !memory_is_there(gsize, sizeof *gsize)) {
        return leave(PTL_SEGV);
    }
    *id = identity_of(library.rank);
    *gsize = library.size;
    return leave(PTL_OK);
}

int PtlTransId(ptl_process_id_t *id)
{
    enter();
    if (!library.up) {
        return leave(PTL_NOINIT);
    }
    if (!id || !memory_is_there(id, sizeof *id)) {
        return leave(PTL_SEGV);
    }
    int rank = identity_rank(id);
    if (rank < 0) {
        return leave(PTL_ADDR_UNKNOWN);
    }
    *id = identity_of((unsigned)rank);
    return leave(PTL_OK);
}

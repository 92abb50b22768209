/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The runtime system's part of Portals 3.3 (p3rt.h): ranks, maps, the first barrier. The job knows all of it.
 */
#include <p3rt/p3rt.h>

#include "ref-impl/api3/later.h"
#include "ref-impl/core/barrier.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/job/job.h"

/* PTL_OK when the interface is open and `octets` octets can be written. */
static int ready(ptl_handle_ni_t ni, const void *output, size_t octets)
{
    int code = api3_ready(output, octets);

    return code == PTL_OK ? api3_code(ni_is_open(ni)) : code;
}

/* PTL_OK when the library is open and the interface is, or none is named. */
static int may_tell(ptl_handle_ni_t ni)
{
    return ni == PTL_INVALID_HANDLE ? api3_ready(NULL, 0) : ready(ni, NULL, 0);
}

static bool find(unsigned rank, struct wire_portals_id *id)
{
    return job_by_rank(job_self()->gid, rank, id);
}

API int PtlGetRank(ptl_handle_ni_t ni_handle, unsigned *rank, unsigned *group_size)
{
    int code = ready(ni_handle, rank, sizeof(*rank));

    if (code == PTL_OK) {
        code = api3_ready(group_size, sizeof(*group_size));
    }
    if (code == PTL_OK) {
        *rank = job_self()->rid;
        *group_size = job_size();
    }
    return code;
}

API int PtlGetRankId(ptl_handle_ni_t ni_handle, unsigned rank, ptl_process_id_t *id)
{
    int code = ready(ni_handle, id, sizeof(*id));
    struct wire_portals_id found;

    if (code != PTL_OK) {
        return code;
    }
    if (!find(rank, &found)) {
        return PTL_FAIL;
    }
    *id = api3_process(&found);
    return PTL_OK;
}

/* Whether a map of so many entries may be used. */
static int map_ready(ptl_handle_ni_t ni, const uint32_t *map, unsigned group_size)
{
    int code = may_tell(ni);

    if (code == PTL_OK && group_size != job_size()) {
        code = PTL_FAIL;
    }
    return code == PTL_OK && !address_is_good(map, group_size * sizeof(*map), ADDRESS_READ) ? PTL_SEGV : code;
}

static uint32_t half(unsigned rank, bool node)
{
    struct wire_portals_id id = {0};

    (void)find(rank, &id);
    return node ? id.nid : id.pid;
}

static int get_map(ptl_handle_ni_t ni, uint32_t *map, unsigned group_size, bool node)
{
    int code = map_ready(ni, map, group_size);

    if (code == PTL_OK) {
        code = ready(ni, map, group_size * sizeof(*map));
    }
    for (unsigned i = 0; code == PTL_OK && i < group_size; i++) {
        map[i] = half(i, node);
    }
    return code;
}

static int set_map(ptl_handle_ni_t ni, const uint32_t *map, unsigned group_size, bool node)
{
    int code = map_ready(ni, map, group_size);

    for (unsigned i = 0; code == PTL_OK && i < group_size; i++) {
        if (map[i] != half(i, node)) {
            code = PTL_FAIL;
        }
    }
    return code;
}

API int PtlGetNIDMap(ptl_handle_ni_t ni_handle, ptl_nid_t *map, unsigned group_size)
{
    return get_map(ni_handle, map, group_size, true);
}

API int PtlGetPIDMap(ptl_handle_ni_t ni_handle, ptl_pid_t *map, unsigned group_size)
{
    return get_map(ni_handle, map, group_size, false);
}

API int PtlSetRank(ptl_handle_ni_t ni_handle, unsigned rank, unsigned group_size)
{
    const unsigned yours = (unsigned)-1;
    int code = may_tell(ni_handle);

    if (code != PTL_OK) {
        return code;
    }
    return (rank == yours || rank == job_self()->rid) && (group_size == yours || group_size == job_size()) ? PTL_OK
                                                                                                           : PTL_FAIL;
}

API int PtlSetNIDMap(ptl_handle_ni_t ni_handle, ptl_nid_t *map, unsigned group_size)
{
    return set_map(ni_handle, map, group_size, true);
}

API int PtlSetPIDMap(ptl_handle_ni_t ni_handle, ptl_pid_t *map, unsigned group_size)
{
    return set_map(ni_handle, map, group_size, false);
}

API int PtlRTBarrier(ptl_handle_ni_t ni_handle)
{
    int code = api3_ready(NULL, 0);

    return code == PTL_OK ? api3_code(barrier_wait(ni_handle)) : code;
}

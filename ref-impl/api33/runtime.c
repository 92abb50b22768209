/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The runtime system's part of Portals 3.3 (p3rt.h): ranks, maps, the first barrier. The job knows all of it, or, where
 * no launcher has started the process, what has been declared (group.h).
 */
#include <p3nal_utcp.h>
#include <p3rt/p3rt.h>

#include "ref-impl/api3/later.h"
#include "ref-impl/api33/group.h"
#include "ref-impl/core/barrier.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/job/job.h"

/* Who this process is among how many. */
struct place {
    unsigned rank, size;
    bool declared;
};

/* PTL_OK when the interface is open and `octets` octets can be written. */
static int ready(ptl_handle_ni_t ni, const void *output, size_t octets)
{
    int code = api3_ready(output, octets);

    return code == PTL_OK ? api3_code(ni_is_open(ni)) : code;
}

/* PTL_OK when the library is open and the interface is, or none is named, and `octets` octets can be written. */
static int may_ask(ptl_handle_ni_t ni, const void *output, size_t octets)
{
    return ni == PTL_INVALID_HANDLE ? api3_ready(output, octets) : ready(ni, output, octets);
}

static int may_tell(ptl_handle_ni_t ni)
{
    return may_ask(ni, NULL, 0);
}

static struct place place_of_self(void)
{
    struct place place = {.rank = job_self()->rid, .size = job_size()};

    place.declared = job_is_alone() && group_self(&place.rank, &place.size);
    return place;
}

static bool find(unsigned rank, ptl_process_id_t *id)
{
    struct wire_portals_id found;

    if (place_of_self().declared) {
        return group_find(rank, id);
    }
    if (!job_by_rank(job_self()->gid, rank, &found)) {
        return false;
    }
    *id = api3_process(&found);
    return true;
}

API int(PtlGetRank)(ptl_handle_ni_t ni_handle, unsigned *rank, unsigned *group_size)
{
    int code = may_ask(ni_handle, rank, sizeof(*rank));

    if (code == PTL_OK) {
        code = api3_ready(group_size, sizeof(*group_size));
    }
    if (code == PTL_OK) {
        struct place place = place_of_self();

        *rank = place.rank;
        *group_size = place.size;
    }
    return code;
}

API int(PtlGetRankId)(ptl_handle_ni_t ni_handle, unsigned rank, ptl_process_id_t *id)
{
    int code = may_ask(ni_handle, id, sizeof(*id));

    if (code != PTL_OK) {
        return code;
    }
    return find(rank, id) ? PTL_OK : PTL_FAIL;
}

/* Whether a map of so many entries may be used. */
static int map_ready(ptl_handle_ni_t ni, const uint32_t *map, unsigned group_size)
{
    int code = may_tell(ni);

    if (code == PTL_OK && group_size != place_of_self().size) {
        code = PTL_FAIL;
    }
    return code == PTL_OK && !address_is_good(map, group_size * sizeof(*map), ADDRESS_READ) ? PTL_SEGV : code;
}

static int get_map(ptl_handle_ni_t ni, uint32_t *map, unsigned group_size, bool node)
{
    int code = map_ready(ni, map, group_size);

    if (code == PTL_OK) {
        code = ready(ni, map, group_size * sizeof(*map));
    }
    for (unsigned i = 0; code == PTL_OK && i < group_size; i++) {
        ptl_process_id_t id;

        if (find(i, &id)) {
            map[i] = node ? id.nid : id.pid;
        } else {
            code = PTL_FAIL;
        }
    }
    return code;
}

static int set_map(ptl_handle_ni_t ni, const uint32_t *map, unsigned group_size, bool node)
{
    int code = map_ready(ni, map, group_size);

    if (code == PTL_OK && place_of_self().declared) {
        return group_declare_map(map, group_size, node);
    }
    for (unsigned i = 0; code == PTL_OK && i < group_size; i++) {
        ptl_process_id_t id;

        if (!find(i, &id) || map[i] != (node ? id.nid : id.pid)) {
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
    if (job_is_alone()) {
        return rank == yours && group_size == yours ? group_read() : group_declare(rank, group_size);
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

    if (code == PTL_OK && place_of_self().declared) {
        return PTL_FAIL;
    }
    return code == PTL_OK ? api3_code(barrier_wait(ni_handle)) : code;
}

API unsigned int utcp_my_nid(const char *device)
{
    (void)device;
    return PtlInit(NULL) == PTL_OK ? job_self()->nid : 0;
}

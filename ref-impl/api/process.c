/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Process identification: chapter 3.4, PtlGetId and PtlTransId, and what every function does with a ptl_process_id_t.
 * The directory of the job answers everything locally.
 */
#include "ref-impl/api/api.h"
#include "ref-impl/job/job.h"

ptl_process_id_t api_process(const struct wire_portals_id *id)
{
    return (ptl_process_id_t){
        .addr_kind = PTL_ADDR_BOTH, //= P30-060
        .nid = id->nid,             //= P30-061
        .pid = id->pid,
        .gid = id->gid,
        .rid = id->rid,
    };
}

bool api_criterion(const ptl_process_id_t *process, struct wire_portals_id *criterion)
{
    bool by_nid = process->addr_kind == PTL_ADDR_NID || process->addr_kind == PTL_ADDR_BOTH;
    bool by_gid = process->addr_kind == PTL_ADDR_GID || process->addr_kind == PTL_ADDR_BOTH;

    if (!by_nid && !by_gid) {
        return false; //= P30-041 P30-118
    }
    *criterion = (struct wire_portals_id){
        .nid = by_nid ? process->nid : CORE_ANY_ID,
        .pid = by_nid ? process->pid : CORE_ANY_ID,
        .gid = by_gid ? process->gid : CORE_ANY_ID,
        .rid = by_gid ? process->rid : CORE_ANY_ID,
    };
    return true;
}

bool api_process_member(const ptl_process_id_t *process, struct wire_portals_id *id)
{
    switch (process->addr_kind) {
    case PTL_ADDR_NID:
        return job_by_address(process->nid, process->pid, id); //= P30-062 P30-069
    case PTL_ADDR_GID:
        return job_by_rank(process->gid, process->rid, id); //= P30-063 P30-068
    case PTL_ADDR_BOTH:
        return job_by_rank(process->gid, process->rid, id) && id->nid == process->nid &&
               id->pid == process->pid; //= P30-064
    }
    return false;
}

bool api_process_named(const ptl_process_id_t *process, struct wire_portals_id *id)
{
    struct wire_portals_id found;

    if (api_process_member(process, &found)) {
        *id = found;
        return true;
    }
    /* A process of another job can be reached by node and process id, which no table here has to know. */
    if (process->addr_kind != PTL_ADDR_NID && process->addr_kind != PTL_ADDR_BOTH) {
        return false; //= P30-099 P30-265
    }
    if (process->nid == PTL_ID_ANY || process->pid == PTL_ID_ANY) {
        return false; //= P30-265
    }
    if (process->addr_kind == PTL_ADDR_BOTH &&
        (process->gid == job_self()->gid || job_by_address(process->nid, process->pid, &found))) {
        return false; /* one pair is ours, and the other is not what belongs to it */
    }
    *id = (struct wire_portals_id){
        .nid = process->nid,
        .pid = process->pid,
        .gid = process->addr_kind == PTL_ADDR_BOTH ? process->gid : WIRE_PORTALS_ID_UNKNOWN,
        .rid = process->addr_kind == PTL_ADDR_BOTH ? process->rid : WIRE_PORTALS_ID_UNKNOWN,
    };
    return true;
}

API int PtlGetId(ptl_process_id_t *id, ptl_id_t *gsize)
{
    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(id, sizeof(*id)) || !api_writable(gsize, sizeof(*gsize))) {
        return PTL_SEGV; //= P30-067
    }
    *id = api_process(job_self()); //= P30-058 P30-059 P30-065
    *gsize = job_size();           //= P30-066
    return PTL_OK;
}

API int PtlTransId(ptl_process_id_t *id)
{
    struct wire_portals_id found;

    if (!api_is_open()) {
        return PTL_NOINIT; //= P30-054
    }
    if (!api_writable(id, sizeof(*id))) {
        return PTL_SEGV; //= P30-073
    }
    if (!api_process_member(id, &found)) { /* asks nobody else: P30-071 */
        return PTL_ADDR_UNKNOWN;           //= P30-070 P30-071
    }
    *id = api_process(&found); //= P30-060 P30-068 P30-069
    return PTL_OK;
}

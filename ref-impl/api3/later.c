/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Arguments, ids and codes: see later.h.
 */
#include "ref-impl/api3/later.h"

#include <revision.h>
#include <string.h>

#include "ref-impl/core/limits.h"
#include "ref-impl/job/job.h"

int api3_code(enum core_status status)
{
    return revision_codes[status];
}

int api3_ready(const void *output, size_t octets)
{
    if (!api3_is_open()) {
        return REVISION_NO_INIT;
    }
    return octets == 0 || address_is_good(output, octets, ADDRESS_WRITE) ? PTL_OK : PTL_SEGV;
}

ptl_process_id_t api3_process(const struct wire_portals_id *id)
{
    return (ptl_process_id_t){.nid = id->nid, .pid = id->pid};
}

struct wire_portals_id api3_criterion(ptl_process_id_t process)
{
    return (struct wire_portals_id){.nid = process.nid, .pid = process.pid, .gid = CORE_ANY_ID, .rid = CORE_ANY_ID};
}

bool api3_target(ptl_process_id_t process, struct wire_portals_id *id)
{
    if (job_by_address(process.nid, process.pid, id)) {
        return true;
    }
    if (process.nid == PTL_NID_ANY || process.pid == PTL_PID_ANY) {
        return false;
    }
    /* A process of another job is reached by node and process id. */
    *id = (struct wire_portals_id){
        .nid = process.nid, .pid = process.pid, .gid = WIRE_PORTALS_ID_UNKNOWN, .rid = WIRE_PORTALS_ID_UNKNOWN};
    return true;
}

/* Whether the memory of all pieces is there. */
static bool has_pieces(const ptl_md_t *md)
{
    struct core_piece piece;

    if (md->length > LIMIT_PIECES ||
        (md->length > 0 && !address_is_good(md->start, (size_t)md->length * sizeof(piece), ADDRESS_READ))) {
        return false;
    }
    for (ptl_size_t i = 0; i < md->length; i++) {
        memcpy(&piece, (const char *)md->start + i * sizeof(piece), sizeof(piece)); /* laid out the same */
        if (piece.length > 0 && !address_is_good(piece.start, (size_t)piece.length, ADDRESS_READ)) {
            return false;
        }
    }
    return true;
}

bool api3_has_memory(const ptl_md_t *md)
{
    if (md->options & REVISION_SCATTERED) {
        return has_pieces(md);
    }
    if (!md->start || md->length == 0 || md->length > WIRE_PORTALS_LENGTH_MAX) {
        return true;
    }
    return address_is_good(md->start, (size_t)md->length, ADDRESS_READ);
}

int api3_event(enum core_status status, const struct core_event *logged, ptl_event_t *event)
{
    if (status == CORE_OK || status == CORE_EVENT_AND_GAP) {
        *event = revision_event(logged);
    }
    return api3_code(status);
}

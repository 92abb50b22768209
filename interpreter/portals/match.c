/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries: the document's section 3.6. Argument order as printed there.
 */
#include "verbs.h"

#include <string.h>

/* struct criteria is what both ways of making a match entry take. */
struct criteria {
    ptl_process_id_t id;
    ptl_match_bits_t bits, ignored;
    ptl_unlink_t unlink;
    struct extra extra;
};

static void read_criteria(struct call *call, struct criteria *criteria)
{
    call_process(call, "matchid", &criteria->id);
    criteria->bits = (ptl_match_bits_t)call_bits(call, "match_bits", sizeof criteria->bits, NULL, 0);
    criteria->ignored = (ptl_match_bits_t)call_bits(call, "ignorebits", sizeof criteria->ignored, NULL, 0);
    call_extra(call, &criteria->extra);
    criteria->unlink = (ptl_unlink_t)call_constant(call, "unlink", CONSTANT_UNLINK);
}

static void run_attach(struct call *call)
{
    ptl_pt_index_t index = (ptl_pt_index_t)call_bits(call, "index", sizeof index, "any", PTL_PT_INDEX_ANY);
    ptl_handle_me_t handle, *handle_at = call_output(call, "handle", &handle);
    ptl_handle_ni_t interface;
    struct criteria criteria;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    read_criteria(call, &criteria);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlMEAttach");
    code = vendor_me_attach(&criteria.extra, interface, index, criteria.id, criteria.bits, criteria.ignored,
                            criteria.unlink, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_ME, &handle, false);
}

static void run_insert(struct call *call)
{
    ptl_ins_pos_t position = (ptl_ins_pos_t)call_constant(call, "position", CONSTANT_POSITION);
    ptl_handle_me_t current, handle, *handle_at = call_output(call, "handle", &handle);
    struct criteria criteria;
    int code;

    call_handle(call, "current", KIND_ME, &current);
    read_criteria(call, &criteria);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlMEInsert");
    code =
        vendor_me_insert(criteria.id, criteria.bits, criteria.ignored, criteria.unlink, position, current, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_ME, &handle, false);
}

static void run_unlink(struct call *call)
{
    ptl_handle_me_t entry;
    int code;

    call_handle(call, "entry", KIND_ME, &entry);
    if (call_failed(call))
        return;
    call_enter(call, "PtlMEUnlink");
    code = PtlMEUnlink(entry);
    call_leave(call);
    result_code(call, code);
}

const struct verb portals_match[] = {
    {"PtlMEAttach", "interface index matchid match_bits ignorebits unlink handle" VENDOR_ME_ATTACH, run_attach, false},
    {"PtlMEInsert", "matchid match_bits ignorebits unlink position current handle", run_insert, false},
    {"PtlMEUnlink", "entry", run_unlink, false},
    {NULL, NULL, NULL, false},
};

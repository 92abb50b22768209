/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Access control and data movement: the document's sections 3.9 and 3.10.
 */
#include "verbs.h"

static void run_access(struct call *call)
{
    ptl_ac_index_t index = (ptl_ac_index_t)call_bits(call, "index", sizeof index, NULL, 0);
    ptl_pt_index_t portal = (ptl_pt_index_t)call_bits(call, "portal", sizeof portal, "any", PTL_PT_INDEX_ANY);
    ptl_handle_ni_t interface;
    ptl_process_id_t id;
    struct extra extra;
    int code;

    call_extra(call, &extra);
    call_handle(call, "interface", KIND_NI, &interface);
    call_process(call, "matchid", &id);
    if (call_failed(call))
        return;
    call_enter(call, "PtlACEntry");
    code = vendor_ac_entry(&extra, interface, index, id, portal);
    call_leave(call);
    result_code(call, code);
}

void read_operation(struct call *call, const char *descriptor, struct operation *operation)
{
    call_extra(call, &operation->extra);
    call_handle(call, descriptor, KIND_MD, &operation->descriptor);
    call_process(call, "target", &operation->target);
    operation->portal = (ptl_pt_index_t)call_bits(call, "portal", sizeof operation->portal, "any", PTL_PT_INDEX_ANY);
    operation->cookie = (ptl_ac_index_t)call_bits(call, "cookie", sizeof operation->cookie, NULL, 0);
    operation->bits = (ptl_match_bits_t)call_bits(call, "match_bits", sizeof operation->bits, NULL, 0);
    operation->offset = (ptl_size_t)call_bits(call, "offset", sizeof operation->offset, NULL, 0);
}

static void run_put(struct call *call)
{
    ptl_ack_req_t ack = (ptl_ack_req_t)call_constant(call, "ack_req", CONSTANT_ACK);
    struct operation op;
    int code;

    read_operation(call, "mem_desc", &op);
    if (call_failed(call))
        return;
    call_enter(call, "PtlPut");
    code = vendor_put(&op.extra, op.descriptor, ack, op.target, op.portal, op.cookie, op.bits, op.offset);
    call_leave(call);
    result_code(call, code);
}

static void run_get(struct call *call)
{
    struct operation op;
    int code;

    read_operation(call, "mem_desc", &op);
    if (call_failed(call))
        return;
    call_enter(call, "PtlGet");
    code = PtlGet(op.descriptor, op.target, op.portal, op.cookie, op.bits, op.offset);
    call_leave(call);
    result_code(call, code);
}

const struct verb portals_movement[] = {
    {"PtlACEntry", "interface index matchid portal" VENDOR_AC_ENTRY, run_access, false},
    {"PtlPut", "mem_desc ack_req target portal cookie match_bits offset" VENDOR_PUT, run_put, false},
    {"PtlGet", "mem_desc target portal cookie match_bits offset", run_get, false},
    {NULL, NULL, NULL, false},
};

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What Portals 3.0 has and later revisions do not, or not in this form: the start, addresses by groups, the barrier,
 * lists of descriptors, the number of events in a queue.
 */
#include "../interfaces.h"
#include "../verbs.h"

#include <string.h>

void call_extra(struct call *call, struct extra *extra)
{
    (void)call;
    extra->none = 0;
}

void call_structure_extra(struct call *call, ptl_md_t *structure)
{
    (void)call;
    (void)structure;
}

void result_structure_extra(struct line *line, const char *prefix, const ptl_md_t *structure)
{
    (void)line;
    (void)prefix;
    (void)structure;
}

void result_event_extra(struct line *line, const char *prefix, const ptl_event_t *event)
{
    (void)line;
    (void)prefix;
    (void)event;
}

static void run_init(struct call *call)
{
    int code;

    call_enter(call, "PtlInit");
    code = PtlInit();
    call_leave(call);
    result_code(call, code);
}

static void run_get_id(struct call *call)
{
    ptl_process_id_t id, *id_at = call_report(call, "id", &id);
    ptl_id_t gsize, *gsize_at = call_report(call, "gsize", &gsize);
    int code;

    if (call_failed(call))
        return;
    call_unwritten(&id, sizeof id);
    call_unwritten(&gsize, sizeof gsize);
    call_enter(call, "PtlGetId");
    code = PtlGetId(id_at, gsize_at);
    call_leave(call);
    if (!result_code(call, code))
        return;
    if (id_at == &id) {
        line_add(&call->result, " id=");
        result_add_process(&call->result, &id);
    }
    if (gsize_at == &gsize)
        line_add(&call->result, " gsize=%llu", (unsigned long long)gsize);
}

static void run_trans_id(struct call *call)
{
    ptl_process_id_t id, *id_at = &id;
    int code;

    if (call_is(call, "id", "null"))
        id_at = NULL;
    else if (call_is(call, "id", "unmapped"))
        id_at = values_unmapped();
    else
        call_process(call, "id", &id);
    if (call_failed(call))
        return;
    call_enter(call, "PtlTransId");
    code = PtlTransId(id_at);
    call_leave(call);
    if (result_code(call, code) && id_at == &id) {
        line_add(&call->result, " id=");
        result_add_process(&call->result, &id);
    }
}

static void run_ni_init(struct call *call)
{
    ptl_interface_t interface = interfaces_number(call, "interface");
    ptl_pt_index_t ptl_size = (ptl_pt_index_t)call_bits(call, "ptl_size", sizeof ptl_size, NULL, 0);
    ptl_ac_index_t acl_size = (ptl_ac_index_t)call_bits(call, "acl_size", sizeof acl_size, NULL, 0);
    ptl_handle_ni_t handle, *handle_at = call_output(call, "handle", &handle);
    int code;

    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlNIInit");
    code = PtlNIInit(interface, ptl_size, acl_size, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_NI, &handle, false);
}

static int meet(ptl_handle_ni_t interface)
{
    return PtlNIBarrier(interface);
}

static void run_ni_barrier(struct call *call)
{
    run_on_interface(call, meet);
}

static void run_ni_dist(struct call *call)
{
    double distance, *distance_at = call_report(call, "distance", &distance);
    ptl_handle_ni_t interface;
    ptl_process_id_t process;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    call_process(call, "process", &process);
    if (call_failed(call))
        return;
    call_unwritten(&distance, sizeof distance);
    call_enter(call, "PtlNIDist");
    code = PtlNIDist(interface, process, distance_at);
    call_leave(call);
    if (result_code(call, code) && distance_at == &distance)
        line_add(&call->result, " distance=%.17g", distance);
}

static void run_md_insert(struct call *call)
{
    ptl_unlink_t unlink = (ptl_unlink_t)call_constant(call, "unlink", CONSTANT_UNLINK);
    ptl_ins_pos_t position = (ptl_ins_pos_t)call_constant(call, "position", CONSTANT_POSITION);
    ptl_handle_md_t current, handle, *handle_at = call_output(call, "handle", &handle);
    ptl_md_t md;
    int code;

    call_handle(call, "current", KIND_MD, &current);
    call_structure(call, "mem_desc", &md);
    if (call_failed(call))
        return;
    memset(&handle, 0, sizeof handle);
    call_enter(call, "PtlMDInsert");
    code = PtlMDInsert(md, unlink, position, current, handle_at);
    call_leave(call);
    if (result_code(call, code))
        call_keep(call, "handle", KIND_MD, &handle, false);
}

static void run_count(struct call *call)
{
    ptl_size_t count, *count_at = call_report(call, "count", &count);
    ptl_handle_eq_t queue;
    int code;

    call_handle(call, "eventq", KIND_EQ, &queue);
    if (call_failed(call))
        return;
    call_unwritten(&count, sizeof count);
    call_enter(call, "PtlEQCount");
    code = PtlEQCount(queue, count_at);
    call_leave(call);
    if (result_code(call, code) && count_at == &count)
        line_add(&call->result, " count=%llu", (unsigned long long)count);
}

const char portals_features[] = "";

const struct verb portals_own[] = {
    {"PtlInit", "", run_init, false},
    {"PtlGetId", "id gsize", run_get_id, false},
    {"PtlTransId", "id", run_trans_id, false},
    {"PtlNIInit", "interface ptl_size acl_size handle", run_ni_init, false},
    {"PtlNIBarrier", "interface", run_ni_barrier, false},
    {"PtlNIDist", "interface process distance", run_ni_dist, false},
    {"PtlMDInsert", "mem_desc unlink position current handle", run_md_insert, false},
    {"PtlEQCount", "eventq count", run_count, false},
    {NULL, NULL, NULL, false},
};

const struct verb portals_added[] = {{NULL, NULL, NULL, false}};

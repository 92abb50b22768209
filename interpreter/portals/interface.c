/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation, process ids and network interfaces: the document's sections 3.3, 3.4 and 3.5.
 */
#include "verbs.h"

#include <string.h>

#include "../common/times.h"

static void run_init(struct call *call)
{
    int code;

    call_enter(call, "PtlInit");
    code = PtlInit();
    call_leave(call);
    result_code(call, code);
}

static void run_fini(struct call *call)
{
    call_enter(call, "PtlFini");
    PtlFini();
    call_leave(call);
    line_add(&call->result, " rc=void");
}

static void run_get_id(struct call *call)
{
    ptl_process_id_t id, *id_at = call_report(call, "id", &id);
    ptl_id_t gsize = 0, *gsize_at = call_report(call, "gsize", &gsize);
    int code;

    if (call_failed(call))
        return;
    memset(&id, 0, sizeof id);
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
    ptl_interface_t interface = (ptl_interface_t)call_bits(call, "interface", sizeof interface, "default",
                                                           (unsigned long long)PTL_IFACE_DEFAULT);
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

/* run_on_interface is for the functions that take nothing but an interface. */
static void run_on_interface(struct call *call, int (*function)(ptl_handle_ni_t interface))
{
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    call_enter(call, call->command.verb);
    code = function(interface);
    call_leave(call);
    result_code(call, code);
}

static void run_ni_fini(struct call *call)
{
    run_on_interface(call, PtlNIFini);
}

static void run_ni_barrier(struct call *call)
{
    run_on_interface(call, PtlNIBarrier);
}

static void add_status(struct call *call, ptl_sr_value_t status)
{
    line_add(&call->result, " status=");
    result_add_number(&call->result, true, (unsigned long long)status);
}

static void run_ni_status(struct call *call)
{
    ptl_sr_index_t index = (ptl_sr_index_t)call_constant(call, "register", CONSTANT_REGISTER);
    ptl_sr_value_t status = 0, *status_at = call_report(call, "status", &status);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    call_enter(call, "PtlNIStatus");
    code = PtlNIStatus(interface, index, status_at);
    call_leave(call);
    if (result_code(call, code) && status_at == &status)
        add_status(call, status);
}

/* run_status waits until a register has reached a value. */
static void run_status(struct call *call)
{
    ptl_sr_index_t index = (ptl_sr_index_t)call_constant(call, "register", CONSTANT_REGISTER);
    ptl_sr_value_t value = (ptl_sr_value_t)call_bits(call, "value", sizeof value, NULL, 0), status = 0;
    long long until = call_until(call);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    for (;;) {
        call_enter(call, "PtlNIStatus");
        code = PtlNIStatus(interface, index, &status);
        call_leave(call);
        if (code != PTL_OK || status >= value || times_now_ms() >= until)
            break;
        times_sleep_us(200);
    }
    if (result_code(call, code))
        add_status(call, status);
}

static void run_ni_dist(struct call *call)
{
    double distance = 0, *distance_at = call_report(call, "distance", &distance);
    ptl_handle_ni_t interface;
    ptl_process_id_t process;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    call_process(call, "process", &process);
    if (call_failed(call))
        return;
    call_enter(call, "PtlNIDist");
    code = PtlNIDist(interface, process, distance_at);
    call_leave(call);
    if (result_code(call, code) && distance_at == &distance)
        line_add(&call->result, " distance=%.17g", distance);
}

static void run_ni_handle(struct call *call)
{
    ptl_handle_ni_t interface, *interface_at = call_output(call, "interface", &interface);
    ptl_handle_any_t handle;
    int code;

    call_any(call, "handle", &handle);
    if (call_failed(call))
        return;
    memset(&interface, 0, sizeof interface);
    call_enter(call, "PtlNIHandle");
    code = PtlNIHandle(handle, interface_at);
    call_leave(call);
    if (!result_code(call, code) || interface_at != &interface)
        return;
    line_add(&call->result, " same=");
    if (!names_add_object(&call->result, KIND_NI, &interface))
        line_add(&call->result, "none");
    call_keep(call, "interface", KIND_NI, &interface, true);
}

const struct verb portals_interface[] = {
    {"PtlInit", "", run_init, false},
    {"PtlFini", "", run_fini, false},
    {"PtlGetId", "id gsize", run_get_id, false},
    {"PtlTransId", "id", run_trans_id, false},
    {"PtlNIInit", "interface ptl_size acl_size handle", run_ni_init, false},
    {"PtlNIFini", "interface", run_ni_fini, false},
    {"PtlNIBarrier", "interface", run_ni_barrier, false},
    {"PtlNIStatus", "interface register status", run_ni_status, false},
    {"PtlNIDist", "interface process distance", run_ni_dist, false},
    {"PtlNIHandle", "handle interface", run_ni_handle, false},
    {"status", "interface register value ms", run_status, false},
    {NULL, NULL, NULL, false},
};

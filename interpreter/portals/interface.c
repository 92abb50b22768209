/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation, process ids and network interfaces: the document's sections 3.3, 3.4 and 3.5, as far as all revisions
 * have them alike; first/own.c and later/own.c have the rest.
 */
#include "verbs.h"

#include <string.h>

#include "../common/times.h"

static void run_fini(struct call *call)
{
    call_enter(call, "PtlFini");
    PtlFini();
    call_leave(call);
    line_add(&call->result, " rc=void");
}

void run_on_interface(struct call *call, int (*function)(ptl_handle_ni_t interface))
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

static int close_interface(ptl_handle_ni_t interface)
{
    return PtlNIFini(interface);
}

static void run_ni_fini(struct call *call)
{
    run_on_interface(call, close_interface);
}

static void add_status(struct call *call, ptl_sr_value_t status)
{
    line_add(&call->result, " status=");
    result_add_number(&call->result, true, (unsigned long long)status);
}

static void run_ni_status(struct call *call)
{
    ptl_sr_index_t index = (ptl_sr_index_t)call_constant(call, "register", CONSTANT_REGISTER);
    ptl_sr_value_t status, *status_at = call_report(call, "status", &status);
    ptl_handle_ni_t interface;
    int code;

    call_handle(call, "interface", KIND_NI, &interface);
    if (call_failed(call))
        return;
    call_unwritten(&status, sizeof status);
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
    {"PtlFini", "", run_fini, false},
    {"PtlNIFini", "interface", run_ni_fini, false},
    {"PtlNIStatus", "interface register status", run_ni_status, false},
    {"PtlNIHandle", "handle interface", run_ni_handle, false},
    {"status", "interface register value ms", run_status, false},
    {NULL, NULL, NULL, false},
};

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Beginning and end of MPI, and its clock: chapter 7 of the MPI-1.1 standard.
 */
#include <string.h>

#include "../core/fatal.h"
#include "verbs.h"

/* The program's arguments, which MPI_Init may want to see, and what came out of calling it before the manager asked. */
static int *environment_count;
static char ***environment_arguments;
static bool environment_early;
static int environment_early_code;

bool environment_begin(int *count, char ***arguments)
{
    environment_count = count;
    environment_arguments = arguments;
    if (*count > 1)
        return false;
    environment_early_code = MPI_Init(count, arguments);
    environment_early = true;
    return true;
}

static int init(struct call *call)
{
    if (environment_early) {
        environment_early = false;
        return environment_early_code;
    }
    if (call_is(call, "arguments", "null"))
        return CALLED(call, MPI_Init(NULL, NULL));
    return CALLED(call, MPI_Init(environment_count, environment_arguments));
}

static void run_init(struct call *call)
{
    bool keep = call_is(call, "errors", "keep");
    int code;

    if (command_value(&call->command, "errors") && !keep && !call_is(call, "errors", "return"))
        failure_set(&call->failure, "bad-value", "errors is return or keep");
    if (command_value(&call->command, "arguments") && !call_is(call, "arguments", "main") &&
        !call_is(call, "arguments", "null"))
        failure_set(&call->failure, "bad-value", "arguments is main or null");
    if (call_failed(call))
        return;
    code = init(call);
    fatal_claim();
    if (code == MPI_SUCCESS) {
        results_running(true);
        errors_keep(keep);
        errors_adopt(call, MPI_COMM_WORLD);
        errors_adopt(call, MPI_COMM_SELF);
    }
    result_code(call, code);
}

static void run_initialized(struct call *call)
{
    int flag = 0;

    if (result_code(call, CALLED(call, MPI_Initialized(&flag))))
        result_bool(call, "flag", flag != 0);
}

static void run_finalize(struct call *call)
{
    int code;

    results_running(false);
    code = CALLED(call, MPI_Finalize());
    result_code(call, code);
}

static void run_abort(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int error = call_number(call, "errorcode");

    if (!call_failed(call))
        result_code(call, CALLED(call, MPI_Abort(comm, error)));
}

static void run_processor_name(struct call *call)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1];
    int len = 0;

    memset(name, 0, sizeof name);
    if (!result_code(call, CALLED(call, MPI_Get_processor_name(name, &len))))
        return;
    line_add(&call->result, " name=");
    line_add_encoded(&call->result, name, len >= 0 && len < (int)sizeof name ? (size_t)len : strlen(name));
}

static void run_wtime(struct call *call)
{
    double seconds;

    call_enter(call, "MPI_Wtime");
    seconds = MPI_Wtime();
    call_leave(call);
    line_add(&call->result, " seconds=%.17g", seconds);
}

static void run_wtick(struct call *call)
{
    double seconds;

    call_enter(call, "MPI_Wtick");
    seconds = MPI_Wtick();
    call_leave(call);
    line_add(&call->result, " seconds=%.17g", seconds);
}

const struct verb mpi_environment[] = {
    {"MPI_Init", "[errors] [arguments]", run_init, false},
    {"MPI_Initialized", "", run_initialized, false},
    {"MPI_Finalize", "", run_finalize, false},
    {"MPI_Abort", "comm errorcode", run_abort, false},
    {"MPI_Get_processor_name", "", run_processor_name, false},
    {"MPI_Wtime", "", run_wtime, false},
    {"MPI_Wtick", "", run_wtick, false},
    {NULL, NULL, NULL, false},
};

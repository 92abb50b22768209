/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Beginning and end of MPI, and its clock: chapter 7 of the MPI-1.1 standard.
 */
#include <string.h>

#include "../core/fatal.h"
#include "verbs.h"

/* The program's arguments, which MPI_Init may want to see. */
static int *environment_count;
static char ***environment_arguments;

/* Who calls MPI_Init: the verb, or this program by itself; then the verb answers with what came out. */
static enum { INIT_TOLD, INIT_AT_ONCE, INIT_DONE } environment_init;
static int environment_code;

/* take_option takes --initialize out of the arguments, wherever it stands; true when it was there. */
static bool take_option(int *count, char **arguments)
{
    int kept = 1;

    for (int i = 1; i < *count; i++)
        if (strcmp(arguments[i], "--initialize") != 0)
            arguments[kept++] = arguments[i];
    if (kept >= *count)
        return false;
    arguments[kept] = NULL;
    *count = kept;
    return true;
}

const char *environment_begin(int *count, char ***arguments)
{
    environment_count = count;
    environment_arguments = arguments;
    if (take_option(count, *arguments)) {
        environment_init = INIT_AT_ONCE;
        return ",initializing";
    }
    if (*count > 1)
        return "";
    environment_code = MPI_Init(count, arguments);
    environment_init = INIT_DONE;
    return ",initialized";
}

void environment_ready(void)
{
    struct executor *self = executor_self();

    if (environment_init != INIT_AT_ONCE)
        return;
    self->function = "MPI_Init"; /* of no command, should it crash */
    environment_code = MPI_Init(environment_count, environment_arguments);
    self->function = NULL;
    fatal_claim();
    environment_init = INIT_DONE;
}

static int init(struct call *call)
{
    if (environment_init == INIT_DONE) {
        environment_init = INIT_TOLD;
        return environment_code;
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

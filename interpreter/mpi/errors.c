/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers and what codes mean: section 7.2 and 7.3 of the MPI-1.1 standard.
 */
#include <string.h>

#include "verbs.h"

static bool errors_kept;

/* What the handler of MPI_Errhandler_create has seen. */
static unsigned long errors_calls;
static int errors_last;

void errors_keep(bool keep)
{
    errors_kept = keep;
}

void errors_adopt(struct call *call, MPI_Comm comm)
{
    if (!errors_kept && comm != MPI_COMM_NULL)
        CALLED_AS(call, "MPI_Errhandler_set", VENDOR_ERRHANDLER_SET(comm, MPI_ERRORS_RETURN));
}

/* count_error is the handler. MPI gives it more arguments than these, which it does not look at. */
static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    errors_calls++;
    errors_last = *code;
}

static void run_set(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Errhandler handler;

    call_object(call, "errhandler", KIND_ERRHANDLER, &handler);
    if (!call_failed(call))
        result_code(call, CALLED(call, VENDOR_ERRHANDLER_SET(comm, handler)));
}

static void run_get(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Errhandler handler;
    const char *name;

    memset(&handler, 0, sizeof handler);
    if (call_failed(call) || !result_code(call, CALLED(call, VENDOR_ERRHANDLER_GET(comm, &handler))))
        return;
    name = constant_object_name(KIND_ERRHANDLER, &handler);
    line_add(&call->result, " errhandler=%s", name ? name : "");
    if (!name && !names_add_object(&call->result, KIND_ERRHANDLER, &handler))
        line_add(&call->result, "unknown");
}

static void run_create(struct call *call)
{
    MPI_Errhandler handler;

    memset(&handler, 0, sizeof handler);
    call_new(call, "errhandler");
    if (!call_failed(call) && result_code(call, CALLED(call, VENDOR_ERRHANDLER_CREATE(count_error, &handler))))
        result_object(call, "errhandler", KIND_ERRHANDLER, &handler);
}

static void run_free(struct call *call)
{
    MPI_Errhandler handler;

    call_object(call, "errhandler", KIND_ERRHANDLER, &handler);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Errhandler_free(&handler))))
        call_give(call, call_value(call, "errhandler"), KIND_ERRHANDLER, &handler);
}

static void run_string(struct call *call)
{
    int code = call_number(call, "errorcode"), len = 0;
    char text[MPI_MAX_ERROR_STRING + 1];

    memset(text, 0, sizeof text);
    if (call_failed(call) || !result_code(call, CALLED(call, MPI_Error_string(code, text, &len))))
        return;
    line_add(&call->result, " string=");
    line_add_encoded(&call->result, text, strlen(text));
}

static void run_class(struct call *call)
{
    int code = call_number(call, "errorcode"), class_number = 0;

    if (call_failed(call) || !result_code(call, CALLED(call, MPI_Error_class(code, &class_number))))
        return;
    line_add(&call->result, " errorclass=");
    result_add_class(&call->result, class_number);
}

static void run_errors(struct call *call)
{
    line_add(&call->result, " calls=%lu last=", errors_calls);
    if (errors_calls)
        result_add_class(&call->result, result_class(call, errors_last));
    else
        line_add(&call->result, "none");
}

const struct verb mpi_errors[] = {
    {"MPI_Errhandler_set", "comm errhandler", run_set, false},
    {"MPI_Errhandler_get", "comm", run_get, false},
    {"MPI_Errhandler_create", "errhandler", run_create, false},
    {"MPI_Errhandler_free", "errhandler", run_free, false},
    {"MPI_Error_string", "errorcode", run_string, false},
    {"MPI_Error_class", "errorcode", run_class, false},
    {"errors", "", run_errors, false},
    {NULL, NULL, NULL, false},
};

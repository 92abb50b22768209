/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One request: starting it, waiting for it, getting rid of it. Sections 3.7, 3.8 and 3.9 of the MPI-1.1 standard.
 */
#include <string.h>

#include "verbs.h"

static void run_start(struct call *call)
{
    MPI_Request request;

    call_object(call, "request", KIND_REQUEST, &request);
    if (call_failed(call))
        return;
    result_code(call, CALLED(call, MPI_Start(&request)));
    call_give(call, call_value(call, "request"), KIND_REQUEST, &request);
}

/* A library that moves nothing but in calls may only mark the request: the next call, which asks for nothing, lets it
 * do what was marked. */
static void run_cancel(struct call *call)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    call_object(call, "request", KIND_REQUEST, &request);
    if (call_failed(call))
        return;
    if (result_code(call, CALLED(call, MPI_Cancel(&request))))
        (void)CALLED(call, MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, &status));
    call_give(call, call_value(call, "request"), KIND_REQUEST, &request);
}

static void run_request_free(struct call *call)
{
    MPI_Request request;

    call_object(call, "request", KIND_REQUEST, &request);
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Request_free(&request))))
        result_object(call, "request", KIND_REQUEST, &request);
}

static void run_wait(struct call *call)
{
    MPI_Request request;
    MPI_Status status;

    call_unwritten(&status, sizeof status);
    call_object(call, "request", KIND_REQUEST, &request);
    call_new_status(call);
    if (call_failed(call))
        return;
    if (result_code(call, CALLED(call, MPI_Wait(&request, &status)))) {
        result_object(call, "request", KIND_REQUEST, &request);
        result_status(call, &status);
    } else {
        call_give(call, call_value(call, "request"), KIND_REQUEST, &request);
    }
}

static void run_test(struct call *call)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    call_unwritten(&status, sizeof status);
    call_object(call, "request", KIND_REQUEST, &request);
    call_new_status(call);
    if (call_failed(call))
        return;
    if (result_code(call, CALLED(call, MPI_Test(&request, &flag, &status)))) {
        result_bool(call, "flag", flag != 0);
        result_object(call, "request", KIND_REQUEST, &request);
        if (flag)
            result_status(call, &status);
    } else {
        call_give(call, call_value(call, "request"), KIND_REQUEST, &request);
    }
}

const struct verb mpi_requests[] = {
    {"MPI_Start", "request", run_start, false},
    {"MPI_Cancel", "request", run_cancel, false},
    {"MPI_Request_free", "request", run_request_free, false},
    {"MPI_Wait", "request [status]", run_wait, false},
    {"MPI_Test", "request [status]", run_test, false},
    {NULL, NULL, NULL, false},
};

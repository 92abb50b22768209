/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What else is done with requests: starting persistent ones, freeing, cancelling. Chapters 3.7.3, 3.8 and 3.9 of MPI.
 */
#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/api/requests/grequest.h"
#include "ref-impl/mpi/messages/p2p_request.h"

/* The request of a handle, which must not be null. */
static struct request *find(struct mpi_call *call, const MPI_Request *handle)
{
    struct request *request = api_request_find(call, handle);

    if (!request) {
        call_fail(call, MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    }
    return request;
}

static int start(const char *function, const MPI_Request *handle)
{
    struct mpi_call call = call_without(function);
    struct request *request = find(&call, handle);

    if (request && (!request->persistent || request->started)) {
        call_fail(&call, MPI_ERR_REQUEST, "the request is %s", request->persistent ? "active" : "not persistent");
    } else if (request && request->message.peer != MPI_PROC_NULL) {
        call_buffer(&call, request->message.buffer, request->message.count, request->message.type,
                    request->kind == REQUEST_SEND ? ADDRESS_READ : ADDRESS_WRITE);
    }
    return call.code == MPI_SUCCESS ? api_message_end(&call, p2p_begin(request)) : call_end(&call);
}

API int MPI_Start(MPI_Request *request)
{
    return start("MPI_Start", request);
}

API int MPI_Startall(int count, MPI_Request *requests)
{
    struct mpi_call call = call_without("MPI_Startall");
    int code;

    call_count(&call, count, "count");
    if (count > 0) {
        call_output(&call, requests, "requests");
    }
    code = call_end(&call);
    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        code = start("MPI_Startall", &requests[i]);
    }
    return code;
}

API int MPI_Request_free(MPI_Request *request)
{
    struct mpi_call call = call_without("MPI_Request_free");
    struct request *found = find(&call, request);

    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    *request = MPI_REQUEST_NULL;
    if (found->own && found->phase == REQUEST_DONE) {
        call_end_with(&call, grequest_free(found));
    }
    if (!found->started) {
        request_free(found);
    } else {
        p2p_abandon(found);
    }
    return call.code;
}

API int MPI_Cancel(MPI_Request *request)
{
    struct mpi_call call = call_without("MPI_Cancel");
    struct request *found = find(&call, request);

    if (found && !found->started) {
        call_fail(&call, MPI_ERR_REQUEST, "the request is inactive");
    } else if (found && found->own) {
        return call_end_with(&call, grequest_cancel(found));
    } else if (found && found->kind == REQUEST_OPERATION) {
        call_fail(&call, MPI_ERR_REQUEST, "an operation of all processes cannot be cancelled");
    }
    if (call.code == MPI_SUCCESS) {
        p2p_cancel(found);
    }
    return call_end(&call);
}

API int MPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    struct mpi_call call = call_without("MPI_Test_cancelled");

    call_output(&call, status, "status");
    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *flag = status->assay_cancelled;
    }
    return call_end(&call);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Requests that the program completes: see grequest.h.
 */
#include "ref-impl/mpi/api/requests/grequest.h"

#include <stdlib.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/common/callback.h"
#include "ref-impl/mpi/messages/engine_lock.h"

/* The program's part of a request. */
struct request_own {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

int grequest_query(const struct request *request, MPI_Status *status)
{
    MPI_Status unwanted;
    int code;

    if (!request->own) {
        return MPI_SUCCESS;
    }
    request_status_empty(status ? status : &unwanted, MPI_ANY_SOURCE);
    callback_begin();
    code = request->own->query(request->own->extra, status ? status : &unwanted);
    callback_end();
    return code;
}

int grequest_free(struct request *request)
{
    int code;

    if (!request->own) {
        return MPI_SUCCESS;
    }
    callback_begin();
    code = request->own->free(request->own->extra);
    callback_end();
    free(request->own);
    request->own = NULL;
    return code;
}

int grequest_cancel(const struct request *request)
{
    int code;

    if (!request->own) {
        return MPI_SUCCESS;
    }
    callback_begin();
    code = request->own->cancel(request->own->extra, request->phase == REQUEST_DONE);
    callback_end();
    return code;
}

API int MPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                           MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request)
{
    struct mpi_call call = call_on("MPI_Grequest_start", MPI_COMM_WORLD);
    struct p2p_message nothing = {
        .comm = call.comm, .peer = MPI_PROC_NULL, .tag = MPI_ANY_TAG, .type = type_find(MPI_BYTE)};
    struct request_own *own;
    struct request *made;

    call_output(&call, request, "request");
    if (!query_fn || !free_fn || !cancel_fn) {
        call_fail(&call, MPI_ERR_ARG, "a function is NULL");
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    own = malloc(sizeof(*own));
    made = own ? request_new(REQUEST_OPERATION, P2P_STANDARD, &nothing) : NULL;
    if (!made) {
        free(own);
        return call_end_with(&call, MPI_ERR_OTHER);
    }
    *own = (struct request_own){query_fn, free_fn, cancel_fn, extra_state};
    made->own = own;
    made->phase = REQUEST_ACTIVE;
    made->started = true;
    made->outcome = (struct request_outcome){.source = MPI_PROC_NULL, .lsrank = -1, .tag = MPI_ANY_TAG};
    api_request_name(&call, made, request);
    if (call.code != MPI_SUCCESS) {
        free(own);
        request_free(made);
    }
    return call_end(&call);
}

API int MPI_Grequest_complete(MPI_Request request)
{
    struct mpi_call call = call_without("MPI_Grequest_complete");
    struct request *found = api_request_find(&call, &request);

    if (!found || !found->own || found->phase != REQUEST_ACTIVE) {
        call_fail(&call, MPI_ERR_REQUEST, "the request is none of MPI_Grequest_start, or is complete");
    }
    if (call.code == MPI_SUCCESS && found && found->abandoned) {
        call_end_with(&call, grequest_free(found));
    }
    if (call.code == MPI_SUCCESS && found) {
        engine_lock_beside(); /* whichever thread of the program says so */
        request_finish(found);
        engine_unlock_beside();
    }
    return call_end(&call);
}

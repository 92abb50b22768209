/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waiting for requests and testing them: one, any, all, some. Chapters 3.7.3 and 3.7.5 of MPI.
 *
 * A request that is done is freed and its handle becomes MPI_REQUEST_NULL; a persistent one becomes inactive. Null and
 * inactive requests have an empty status and are otherwise passed over.
 */
#include <stdlib.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/api/requests/grequest.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/short_path.h"

/* The requests of a call with several. */
struct several {
    MPI_Request *handles;
    int count;
    struct request **requests; /* NULL: null, or inactive */
    int active;
};

static struct request *find_active(struct mpi_call *call, const MPI_Request *handle)
{
    struct request *request = api_request_find(call, handle);

    return request && request->started ? request : NULL;
}

/* Ends a request that is done, or about which that will soon be said. */
SHORT_PATH static int finish(struct request *request, MPI_Request *handle, MPI_Status *status)
{
    int code = p2p_finish(request, status);

    if (request->own) {
        int queried = grequest_query(request, status), freed = grequest_free(request);

        code = queried != MPI_SUCCESS ? queried : freed;
    }
    if (!request->persistent) {
        request_free(request);
        *handle = MPI_REQUEST_NULL;
    }
    return code;
}

static void empty(MPI_Status *status)
{
    if (status) {
        request_status_empty(status, MPI_ANY_SOURCE);
        status->MPI_ERROR = MPI_SUCCESS;
    }
}

/* ---- one -------------------------------------------------------------------------------------------------------- */

/* The communicator of a request goes with it; an error is raised on it all the same. */
static int finish_one(struct mpi_call *call, struct request *request, MPI_Request *handle, MPI_Status *status)
{
    struct mpi_comm *comm = request->message.comm;
    int code;

    comm_hold(comm);
    code = api_message_end(call, finish(request, handle, status));
    comm_release(comm);
    return code;
}

API int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct mpi_call call = call_without("MPI_Wait");
    struct request *found = find_active(&call, request);

    if (found) {
        return finish_one(&call, found, request, status);
    }
    if (call.code == MPI_SUCCESS) {
        empty(status);
    }
    return call_end(&call);
}

API int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    struct mpi_call call = call_without("MPI_Test");
    struct request *found = find_active(&call, request);

    call_output(&call, flag, "flag");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    *flag = !found || p2p_await(&found, 1, true, false);
    if (found && *flag) {
        return finish_one(&call, found, request, status);
    }
    if (*flag) {
        empty(status);
    }
    return MPI_SUCCESS;
}

/* ---- several ---------------------------------------------------------------------------------------------------- */

/* Finds the requests of the handles. several_end must follow. */
static struct several several_begin(struct mpi_call *call, int count, MPI_Request *handles)
{
    struct several s = {.handles = handles, .count = count};

    call_count(call, count, "count");
    if (count > 0) {
        call_output(call, handles, "requests");
    }
    if (call->code != MPI_SUCCESS) {
        return s;
    }
    s.requests = calloc((size_t)count + 1, sizeof(struct request *));
    if (!s.requests) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    }
    for (int i = 0; s.requests && i < count && call->code == MPI_SUCCESS; i++) {
        s.requests[i] = find_active(call, &handles[i]);
        s.active += s.requests[i] ? 1 : 0;
    }
    return s;
}

static int several_end(struct several *s, struct mpi_call *call)
{
    free(s->requests);
    call->comm = NULL; /* requests of several communicators: the error is MPI_COMM_WORLD's */
    return call_end(call);
}

/* Ends the first request that is done. */
static void finish_any(struct several *s, struct mpi_call *call, int *index, MPI_Status *status)
{
    int code;

    for (int i = 0; s->requests && i < s->count; i++) {
        if (s->requests[i] && p2p_is_done(s->requests[i])) {
            code = finish(s->requests[i], &s->handles[i], status);
            *index = i;
            if (code != MPI_SUCCESS) {
                call_fail(call, code, "request %d failed", i);
            }
            return;
        }
    }
}

/* Ends one of several requests, with an error of its own. */
static void finish_in_status(struct several *s, struct mpi_call *call, int i, MPI_Status *status)
{
    int code = finish(s->requests[i], &s->handles[i], status);

    if (status) {
        status->MPI_ERROR = code;
    }
    if (code != MPI_SUCCESS) {
        call_fail(call, MPI_ERR_IN_STATUS, "request %d failed with class %d", i, code);
    }
}

/* Ends all requests, which are done. */
static void finish_all(struct several *s, struct mpi_call *call, MPI_Status *statuses)
{
    for (int i = 0; i < s->count; i++) {
        MPI_Status *status = statuses ? &statuses[i] : NULL;

        if (s->requests && s->requests[i]) {
            finish_in_status(s, call, i, status);
        } else {
            empty(status);
        }
    }
}

/* Ends those that are done, and tells which. Their number. */
static int finish_some(struct several *s, struct mpi_call *call, int *indices, MPI_Status *statuses)
{
    int ended = 0;

    for (int i = 0; i < s->count; i++) {
        if (s->requests[i] && p2p_is_done(s->requests[i])) {
            finish_in_status(s, call, i, statuses ? &statuses[ended] : NULL);
            indices[ended++] = i;
        }
    }
    return ended;
}

API int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status)
{
    struct mpi_call call = call_without("MPI_Waitany");
    struct several s = several_begin(&call, count, requests);

    call_output(&call, index, "index");
    if (call.code == MPI_SUCCESS && s.active == 0) {
        *index = MPI_UNDEFINED;
        empty(status);
    } else if (call.code == MPI_SUCCESS) {
        p2p_await(s.requests, count, false, true);
        finish_any(&s, &call, index, status);
    }
    return several_end(&s, &call);
}

API int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status)
{
    struct mpi_call call = call_without("MPI_Testany");
    struct several s = several_begin(&call, count, requests);

    call_output(&call, index, "index");
    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *index = MPI_UNDEFINED;
        *flag = s.active == 0 || p2p_await(s.requests, count, false, false);
        if (*flag && s.active > 0) {
            finish_any(&s, &call, index, status);
        } else if (*flag) {
            empty(status);
        }
    }
    return several_end(&s, &call);
}

API int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    struct mpi_call call = call_without("MPI_Waitall");
    struct several s = several_begin(&call, count, requests);

    if (call.code == MPI_SUCCESS) {
        p2p_await(s.requests, count, true, true);
        finish_all(&s, &call, statuses);
    }
    return several_end(&s, &call);
}

API int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses)
{
    struct mpi_call call = call_without("MPI_Testall");
    struct several s = several_begin(&call, count, requests);

    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *flag = p2p_await(s.requests, count, true, false);
        if (*flag) {
            finish_all(&s, &call, statuses);
        }
    }
    return several_end(&s, &call);
}

/* MPI_Waitsome and MPI_Testsome. */
static int some(struct mpi_call *call, struct several *s, bool wait, int *outcount, int *indices, MPI_Status *statuses)
{
    call_output(call, outcount, "outcount");
    if (s->active > 0) {
        call_output(call, indices, "indices");
    }
    if (call->code == MPI_SUCCESS && s->active == 0) {
        *outcount = MPI_UNDEFINED;
    } else if (call->code == MPI_SUCCESS) {
        p2p_await(s->requests, s->count, false, wait);
        *outcount = finish_some(s, call, indices, statuses);
    }
    return several_end(s, call);
}

API int MPI_Waitsome(int incount, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses)
{
    struct mpi_call call = call_without("MPI_Waitsome");
    struct several s = several_begin(&call, incount, requests);

    return some(&call, &s, true, outcount, indices, statuses);
}

API int MPI_Testsome(int incount, MPI_Request *requests, int *outcount, int *indices, MPI_Status *statuses)
{
    struct mpi_call call = call_without("MPI_Testsome");
    struct several s = several_begin(&call, incount, requests);

    return some(&call, &s, false, outcount, indices, statuses);
}

API int MPI_Request_get_status(MPI_Request handle, int *flag, MPI_Status *status)
{
    struct mpi_call call = call_without("MPI_Request_get_status");
    struct request *request = api_request_find(&call, &handle);

    call_output(&call, flag, "flag");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    *flag = !request || !request->started || p2p_await(&request, 1, true, false);
    if (*flag && request && request->own) {
        return call_end_with(&call, grequest_query(request, status));
    }
    if (*flag && status && request && request->started) {
        request_status(&request->outcome, &request->message, status);
    } else if (*flag && status) {
        request_status_empty(status, MPI_ANY_SOURCE);
    }
    return MPI_SUCCESS;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Matched probes: chapter 3.8.2 of MPI-3. A message that is found is received at once, packed as it came, and kept
 * until the program asks for it; so no other receive can have it.
 */
#include <limits.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/messages/p2p_request.h"

struct matched {
    struct mpi_comm *comm; /* held */
    void *octets;
    MPI_Status status; /* of the message: who, tag, length, form */
};

static void matched_free(struct matched *matched)
{
    comm_release(matched->comm);
    free(matched->octets);
    free(matched);
}

/* Receives a message that has been found. */
static int keep(struct mpi_comm *comm, const MPI_Status *found, struct matched **kept)
{
    struct matched *matched = calloc(1, sizeof(*matched));
    struct p2p_message message = {.comm = comm,
                                  .peer = found->MPI_SOURCE,
                                  .tag = found->MPI_TAG,
                                  .count = (int)found->assay_octets,
                                  .type = type_find(MPI_BYTE)};
    int code = MPI_ERR_OTHER;

    if (!matched) {
        return MPI_ERR_OTHER;
    }
    comm_hold(matched->comm = comm);
    if (found->assay_octets <= INT_MAX) {
        message.buffer = matched->octets = malloc((size_t)found->assay_octets + 1);
    }
    if (matched->octets) {
        code = p2p_receive(&message, &matched->status);
    }
    if (code != MPI_SUCCESS) {
        matched_free(matched);
        return code;
    }
    *kept = matched;
    return MPI_SUCCESS;
}

/* MPI_Mprobe and MPI_Improbe, once their arguments are good; whether there is a message. */
static bool probe(struct mpi_call *call, const struct p2p_message *wanted, bool wait, MPI_Message *handle,
                  MPI_Status *status)
{
    struct matched *matched = NULL;
    MPI_Status found;
    int code;

    if (!p2p_probe(wanted, wait, &found)) {
        return false;
    }
    if (wanted->peer == MPI_PROC_NULL) {
        *handle = MPI_MESSAGE_NO_PROC;
    } else if ((code = keep(call->comm, &found, &matched)) != MPI_SUCCESS) {
        call_fail(call, code, "there is no memory for the message that was found");
    } else if (!(*handle = handle_new(HANDLE_MESSAGE, matched))) {
        matched_free(matched);
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    }
    if (status) {
        found.MPI_ERROR = status->MPI_ERROR;
        *status = found;
    }
    return true;
}

API int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct mpi_call call = call_on("MPI_Mprobe", comm);
    struct p2p_message wanted = api_message_probe(&call, source, tag);

    call_output(&call, message, "message");
    if (call.code == MPI_SUCCESS) {
        (void)probe(&call, &wanted, true, message, status);
    }
    return call_end(&call);
}

API int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    struct mpi_call call = call_on("MPI_Improbe", comm);
    struct p2p_message wanted = api_message_probe(&call, source, tag);

    call_output(&call, flag, "flag");
    call_output(&call, message, "message");
    if (call.code == MPI_SUCCESS) {
        *flag = probe(&call, &wanted, false, message, status);
    }
    return call_end(&call);
}

/* A receive of what is kept, which is done. `named` says where to. */
static struct request *receive(struct mpi_call *call, struct matched *matched, const struct p2p_message *named)
{
    struct request *request = request_new(REQUEST_RECEIVE, P2P_STANDARD, named);

    if (!request) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return NULL;
    }
    request->phase = REQUEST_DONE;
    request->started = true;
    request->staging = matched->octets;
    matched->octets = NULL;
    request->outcome = (struct request_outcome){.source = 0, /* it is named */
                                                .lsrank = -1,
                                                .tag = matched->status.MPI_TAG,
                                                .msglen = matched->status.assay_octets,
                                                .external = matched->status.assay_external != 0};
    return request;
}

/* MPI_Mrecv and MPI_Imrecv: the request of a message, or NULL: the call has failed. */
static struct request *take(struct mpi_call *call, struct api_message *named, MPI_Message *handle)
{
    struct request *request = NULL;
    struct matched *matched = NULL;
    struct p2p_message message;
    int code;

    call_output(call, handle, "message");
    if (call->code == MPI_SUCCESS && *handle != MPI_MESSAGE_NO_PROC &&
        !(matched = handle_find(HANDLE_MESSAGE, *handle))) {
        call_fail(call, MPI_ERR_REQUEST, "the message is none, or has been received");
    }
    call->comm = matched ? matched->comm : comm_self();
    named->peer = matched ? matched->status.MPI_SOURCE : MPI_PROC_NULL;
    named->tag = matched ? matched->status.MPI_TAG : MPI_ANY_TAG;
    message = api_message_receive(call, named);
    if (call->code != MPI_SUCCESS) {
        return NULL;
    }
    if (!matched) {
        code = p2p_start_receive(&message, &request);
        if (code != MPI_SUCCESS) {
            call_fail(call, code, "memory is used up");
        }
    } else if ((request = receive(call, matched, &message))) {
        handle_free(HANDLE_MESSAGE, *handle);
        matched_free(matched);
        call->comm = request->message.comm;
    }
    if (request) {
        *handle = MPI_MESSAGE_NULL;
    }
    return request;
}

API int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    struct mpi_call call = call_without("MPI_Mrecv");
    struct api_message named = {.buffer = buf, .count = count, .datatype = datatype};
    struct request *request = take(&call, &named, message);
    int code;

    if (!request) {
        return call_end(&call);
    }
    comm_hold(call.comm = request->message.comm);
    code = api_message_end(&call, p2p_wait(request, status));
    comm_release(call.comm);
    return code;
}

API int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request)
{
    struct mpi_call call = call_without("MPI_Imrecv");
    struct api_message named = {.buffer = buf, .count = count, .datatype = datatype};
    struct request *made;

    call_output(&call, request, "request");
    made = take(&call, &named, message);
    if (made) {
        api_request_name(&call, made, request);
    }
    return call_end(&call);
}

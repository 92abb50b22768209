/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving and probing: MPI_Recv with its immediate and persistent forms, MPI_Probe, and the calls that send and
 * receive at once. Chapters 3.2, 3.7, 3.8, 3.9 and 3.10 of MPI.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/short_path.h"

SHORT_PATH API int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                            MPI_Status *status)
{
    struct api_message named = {buf, count, datatype, source, tag};
    struct mpi_call call = call_on("MPI_Recv", comm);
    struct p2p_message message = api_message_receive(&call, &named);

    return call.code == MPI_SUCCESS ? api_message_end(&call, p2p_receive(&message, status)) : call_end(&call);
}

SHORT_PATH API int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                             MPI_Request *request)
{
    struct api_message named = {buf, count, datatype, source, tag};
    struct mpi_call call = call_on("MPI_Irecv", comm);
    struct p2p_message message = api_message_receive(&call, &named);
    struct request *started;
    int code;

    call_output(&call, request, "request");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = p2p_start_receive(&message, &started);
    if (code == MPI_SUCCESS) {
        api_request_name(&call, started, request);
    }
    return api_message_end(&call, code);
}

API int MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    struct api_message named = {buf, count, datatype, source, tag};
    struct mpi_call call = call_on("MPI_Recv_init", comm);
    struct p2p_message message = api_message_receive(&call, &named);
    struct request *made;

    call_output(&call, request, "request");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    made = request_new(REQUEST_RECEIVE, P2P_STANDARD, &message);
    if (!made) {
        return api_message_end(&call, MPI_ERR_OTHER);
    }
    made->persistent = true;
    api_request_name(&call, made, request);
    return call_end(&call);
}

API int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_call call = call_on("MPI_Probe", comm);
    struct p2p_message message = api_message_probe(&call, source, tag);
    MPI_Status unwanted;

    if (call.code == MPI_SUCCESS) {
        p2p_probe(&message, true, status ? status : &unwanted);
    }
    return call_end(&call);
}

API int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct mpi_call call = call_on("MPI_Iprobe", comm);
    struct p2p_message message = api_message_probe(&call, source, tag);
    MPI_Status unwanted;

    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *flag = p2p_probe(&message, false, status ? status : &unwanted);
    }
    return call_end(&call);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct api_message sent = {sendbuf, sendcount, sendtype, dest, sendtag};
    struct api_message received = {recvbuf, recvcount, recvtype, source, recvtag};
    struct mpi_call call = call_on("MPI_Sendrecv", comm);
    struct p2p_message out = api_message_send(&call, &sent);
    struct p2p_message in = api_message_receive(&call, &received);

    return call.code == MPI_SUCCESS ? api_message_end(&call, p2p_exchange(&out, &in, status)) : call_end(&call);
}

/* Sends a copy of the buffer while the buffer is received into. Where nothing is sent, nobody has said that there is
 * anything in the buffer. */
static int replace(struct p2p_message *out, const struct p2p_message *in, MPI_Status *status)
{
    ptrdiff_t from = 0, to = 0;
    void *copy;
    int code;

    if (out->peer == MPI_PROC_NULL) {
        return p2p_exchange(out, in, status);
    }
    if (!type_range(out->type, (size_t)out->count, &from, &to)) {
        return MPI_ERR_OTHER;
    }
    copy = malloc(to > from ? (size_t)(to - from) : 1);
    if (!copy) {
        return MPI_ERR_OTHER;
    }
    out->buffer = (void *)((uintptr_t)copy - (uintptr_t)from);
    type_copy(out->type, (size_t)out->count, in->buffer, out->buffer);
    code = p2p_exchange(out, in, status);
    free(copy);
    return code;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                             int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct api_message sent = {buf, count, datatype, dest, sendtag};
    struct api_message received = {buf, count, datatype, source, recvtag};
    struct mpi_call call = call_on("MPI_Sendrecv_replace", comm);
    struct p2p_message out = api_message_send(&call, &sent);
    struct p2p_message in = api_message_receive(&call, &received);

    return call.code == MPI_SUCCESS ? api_message_end(&call, replace(&out, &in, status)) : call_end(&call);
}

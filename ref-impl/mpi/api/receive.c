/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving and probing: MPI_Recv with its immediate and persistent forms, MPI_Probe. Chapters 3.2, 3.7, 3.8 and 3.9
 * of MPI.
 */
#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/messages/p2p_request.h"

API int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct api_message named = {buf, count, datatype, source, tag};
    struct mpi_call call = call_on("MPI_Recv", comm);
    struct p2p_message message = api_message_receive(&call, &named);

    return call.code == MPI_SUCCESS ? api_message_end(&call, p2p_receive(&message, status)) : call_end(&call);
}

API int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request)
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

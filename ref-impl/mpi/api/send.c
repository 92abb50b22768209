/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending: MPI_Send and its modes, blocking, immediate and persistent. Chapters 3.2, 3.4, 3.7 and 3.9 of MPI.
 */
#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/short_path.h"

/* What is sent, as the program says it: the arguments of the function that this stands in. */
#define MESSAGE (&(const struct api_message){buf, count, datatype, dest, tag})

SHORT_PATH static int send_in(const char *function, MPI_Comm comm, enum p2p_mode mode, const struct api_message *named)
{
    struct mpi_call call = call_on(function, comm);
    struct p2p_message message = api_message_send(&call, named);

    return call.code == MPI_SUCCESS ? api_message_end(&call, p2p_send(&message, mode)) : call_end(&call);
}

SHORT_PATH static int begin(const char *function, MPI_Comm comm, enum p2p_mode mode, const struct api_message *named,
                            MPI_Request *handle)
{
    struct mpi_call call = call_on(function, comm);
    struct p2p_message message = api_message_send(&call, named);
    struct request *request;
    int code;

    call_output(&call, handle, "request");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = p2p_start_send(&message, mode, &request);
    if (code == MPI_SUCCESS) {
        api_request_name(&call, request, handle);
    }
    return api_message_end(&call, code);
}

static int prepare(const char *function, MPI_Comm comm, enum p2p_mode mode, const struct api_message *named,
                   MPI_Request *handle)
{
    struct mpi_call call = call_on(function, comm);
    struct p2p_message message = api_message_send(&call, named);
    struct request *request;

    call_output(&call, handle, "request");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    request = request_new(REQUEST_SEND, mode, &message);
    if (!request) {
        return api_message_end(&call, MPI_ERR_OTHER);
    }
    request->persistent = true;
    api_request_name(&call, request, handle);
    return call_end(&call);
}

API int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_in("MPI_Send", comm, P2P_STANDARD, MESSAGE);
}

API int MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_in("MPI_Bsend", comm, P2P_BUFFERED, MESSAGE);
}

API int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_in("MPI_Ssend", comm, P2P_SYNCHRONOUS, MESSAGE);
}

API int MPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return send_in("MPI_Rsend", comm, P2P_READY, MESSAGE);
}

API int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    return begin("MPI_Isend", comm, P2P_STANDARD, MESSAGE, request);
}

API int MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return begin("MPI_Ibsend", comm, P2P_BUFFERED, MESSAGE, request);
}

API int MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return begin("MPI_Issend", comm, P2P_SYNCHRONOUS, MESSAGE, request);
}

API int MPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    return begin("MPI_Irsend", comm, P2P_READY, MESSAGE, request);
}

API int MPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    return prepare("MPI_Send_init", comm, P2P_STANDARD, MESSAGE, request);
}

API int MPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    return prepare("MPI_Bsend_init", comm, P2P_BUFFERED, MESSAGE, request);
}

API int MPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    return prepare("MPI_Ssend_init", comm, P2P_SYNCHRONOUS, MESSAGE, request);
}

API int MPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request *request)
{
    return prepare("MPI_Rsend_init", comm, P2P_READY, MESSAGE, request);
}

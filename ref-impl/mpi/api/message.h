/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The arguments that all functions of chapter 3 of MPI have, checked once. See call.h for how calls are checked.
 */
#ifndef REF_IMPL_MPI_API_MESSAGE_H
#define REF_IMPL_MPI_API_MESSAGE_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/messages/request.h"

/* A message as programs name it. */
struct api_message {
    const void *buffer;
    int count;
    MPI_Datatype datatype;
    int peer, tag;
};

/* api_message_send, api_message_receive - check a message that is sent, that is received, and make it the library's.
 * What they give is good unless the call has failed. */
struct p2p_message api_message_send(struct mpi_call *call, const struct api_message *message);
struct p2p_message api_message_receive(struct mpi_call *call, const struct api_message *message);

/* api_message_probe - checks source and tag alone. */
struct p2p_message api_message_probe(struct mpi_call *call, int source, int tag);

/* api_message_end - what the function returns, after an error class of p2p.h. */
int api_message_end(struct mpi_call *call, int code);

/* api_request_name - gives a request a handle; NULL for none fails the call.
 * api_request_find - the request of a handle; MPI_REQUEST_NULL gives NULL, and no failure. */
void api_request_name(struct mpi_call *call, struct request *request, MPI_Request *handle);
struct request *api_request_find(struct mpi_call *call, const MPI_Request *handle);

#endif

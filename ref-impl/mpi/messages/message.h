/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One message, as whoever sends or receives it describes it.
 */
#ifndef REF_IMPL_MPI_MESSAGES_MESSAGE_H
#define REF_IMPL_MPI_MESSAGES_MESSAGE_H

#include <stdbool.h>

struct mpi_comm;
struct mpi_type;

/* Modes of sending [MPI 3.4]. Ready is standard here: whoever may be ready need not be. */
enum p2p_mode { P2P_STANDARD, P2P_BUFFERED, P2P_SYNCHRONOUS, P2P_READY };

/* One call's arguments. `peer` is a rank in the communicator (in the remote group of an intercommunicator), or
 * MPI_PROC_NULL, or, to receive, MPI_ANY_SOURCE; `tag` may be MPI_ANY_TAG to receive. The buffer is the caller's, and
 * must stay until the message is done; communicator and type are kept by the message for as long as it needs them. */
struct p2p_message {
    struct mpi_comm *comm;
    bool collective; /* the communicator's collective context */
    int peer, tag;
    void *buffer;
    int count;
    struct mpi_type *type;
    bool agreement; /* between clients, on a communicator, under its point-to-point context: not the program's */
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Nonblocking operations: see operation.h. Chapter 5.12 of MPI-3.
 */
#include "ref-impl/mpi/nonblocking/operation.h"

#include <stdlib.h>

#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/messages/engine_lock.h"
#include "ref-impl/mpi/messages/fiber.h"
#include "ref-impl/mpi/messages/request.h"
#include "ref-impl/mpi/types/type.h"

/* One that is under way, or waits for its turn. */
struct comm_operation {
    TAILQ_ENTRY(comm_operation) link;
    struct operation_work what;
    struct request *request;
};

/* A fiber: does the operations of a communicator until there are no more. Begins, gives way and ends with the lock
 * held. */
static void do_all(void *argument)
{
    struct mpi_comm *comm = argument;
    struct comm_operation *operation;

    while ((operation = TAILQ_FIRST(&comm->operations))) {
        int code;

        engine_unlock();
        code = operation->what.work(comm, operation->what.arguments);
        operation->what.release(operation->what.arguments);
        engine_lock();
        TAILQ_REMOVE(&comm->operations, operation, link);
        operation->request->outcome.error = code;
        request_finish(operation->request);
        free(operation);
    }
    comm_release(comm);
}

static struct request *request_of(struct mpi_comm *comm)
{
    struct p2p_message nothing = {.comm = comm, .peer = MPI_PROC_NULL, .tag = MPI_ANY_TAG, .type = type_find(MPI_BYTE)};
    struct request *request = request_new(REQUEST_OPERATION, P2P_STANDARD, &nothing);

    if (request) {
        request->phase = REQUEST_ACTIVE;
        request->started = true;
        request->outcome = (struct request_outcome){.source = MPI_PROC_NULL, .lsrank = -1, .tag = MPI_ANY_TAG};
    }
    return request;
}

/* Puts the operation behind the others of its communicator. False: memory is used up. */
static bool line_up(struct mpi_comm *comm, struct comm_operation *operation)
{
    bool first, begun = true;

    engine_lock();
    first = TAILQ_EMPTY(&comm->operations);
    TAILQ_INSERT_TAIL(&comm->operations, operation, link);
    if (first) {
        comm_hold(comm);
        begun = fiber_begin(do_all, comm);
    }
    if (!begun) {
        TAILQ_REMOVE(&comm->operations, operation, link);
        comm_release(comm);
    }
    engine_unlock();
    return begun;
}

int operation_begin(struct mpi_comm *comm, const struct operation_work *work, struct request **request)
{
    struct comm_operation *operation = malloc(sizeof(*operation));
    struct request *made = operation ? request_of(comm) : NULL;

    if (made) {
        *operation = (struct comm_operation){.what = *work, .request = made};
        if (line_up(comm, operation)) {
            *request = made;
            return MPI_SUCCESS;
        }
        request_free(made);
    }
    free(operation);
    work->release(work->arguments);
    return MPI_ERR_OTHER;
}

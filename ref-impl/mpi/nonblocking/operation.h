/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Nonblocking operations of all processes of a communicator: blocking ones, done in a fiber (../messages/fiber.h) that
 * gives way where they wait.
 *
 * Those of one communicator are done one after the other, in the order in which they were begun, which is the same at
 * all its processes; those of several communicators at the same time. A blocking operation waits for its turn behind
 * them (p2p_await_turn). So no message can be taken for one of another operation, and tags and patterns are those of
 * the blocking operations, which the IMPI document prescribes.
 */
#ifndef REF_IMPL_MPI_NONBLOCKING_OPERATION_H
#define REF_IMPL_MPI_NONBLOCKING_OPERATION_H

struct mpi_comm;
struct request;

/* What is done: `work` gives an error class; `release` takes the arguments away afterwards. Both are called in MPI
 * functions of the program's thread, without the engine's lock. */
struct operation_work {
    int (*work)(struct mpi_comm *comm, void *arguments);
    void (*release)(void *arguments);
    void *arguments;
};

/* operation_begin - begins it, and stores its request, which is ACTIVE and gets DONE. Never waits for another process.
 * An error class: MPI_ERR_OTHER, and the arguments have been released, where memory is used up. */
int operation_begin(struct mpi_comm *comm, const struct operation_work *work, struct request **request);

#endif

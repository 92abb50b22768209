/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Telling the program of an error. Chapter 7.2 of MPI.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_ERRORS_RAISE_H
#define REF_IMPL_MPI_COMMUNICATORS_ERRORS_RAISE_H

struct mpi_comm;
struct mpi_errhandler;

/* errors_raise - calls the handler of a communicator, or that of MPI_COMM_WORLD for NULL, with an error: returns its
 * code, or does not return. `function` is the name of the MPI function, `what` a sentence without full stop that says
 * what was wrong with what. Before MPI_Init and after MPI_Finalize there is no handler, and the process ends. */
int errors_raise(struct mpi_comm *comm, int code, const char *function, const char *what);

/* errors_raise_with - the same with a handler that is not a communicator's; `object` is the address of the handle that
 * it gets. */
int errors_raise_with(const struct mpi_errhandler *handler, void *object, int code, const char *function,
                      const char *what);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers and the texts of errors. Chapter 7 of MPI.
 *
 * Error codes are error classes. A handler belongs to a communicator and is handed on to those made from it.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_ERRORS_H
#define REF_IMPL_MPI_COMMUNICATORS_ERRORS_H

#include <stdbool.h>

#include "ref-impl/include/mpi.h"

struct mpi_comm;
struct mpi_errhandler;

/* errors_open - makes the predefined handlers; false when memory is used up. errors_close takes all away. */
bool errors_open(void);
void errors_close(void);

/* errors_find - the handler of a handle, or NULL. */
struct mpi_errhandler *errors_find(MPI_Errhandler handle);

/* errors_hold, errors_release - one holder more, one less; a communicator holds its handler. */
void errors_hold(struct mpi_errhandler *handler);
void errors_release(struct mpi_errhandler *handler);

/* errors_raise - calls the handler of a communicator, or that of MPI_COMM_WORLD for NULL, with an error: returns its
 * code, or does not return. `function` is the name of the MPI function, `what` a sentence without full stop that says
 * what was wrong with what. Before MPI_Init and after MPI_Finalize there is no handler, and the process ends. */
int errors_raise(struct mpi_comm *comm, int code, const char *function, const char *what);

/* errors_text - the sentence of an error class, or NULL for what is none. Static. */
const char *errors_text(int code);

#endif

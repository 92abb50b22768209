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

/* What is done with an error. */
enum errors_reaction { ERRORS_ABORT, ERRORS_RETURN, ERRORS_CALL };

struct mpi_errhandler {
    enum errors_reaction reaction;
    MPI_Handler_function *function; /* of ERRORS_CALL */
    MPI_Errhandler handle;          /* MPI_ERRHANDLER_NULL: the program has freed it as often as it got it */
    unsigned names;                 /* how often the program got it */
    unsigned holders;               /* those, and communicators */
};

/* errors_open - makes the predefined handlers; false when memory is used up. errors_close takes all away. */
bool errors_open(void);
void errors_close(void);

/* errors_find - the handler of a handle, or NULL. */
struct mpi_errhandler *errors_find(MPI_Errhandler handle);

/* errors_hold, errors_release - one holder more, one less; a communicator holds its handler. */
void errors_hold(struct mpi_errhandler *handler);
void errors_release(struct mpi_errhandler *handler);

/* errors_text - the sentence of an error class, or NULL for what is none. Static. */
const char *errors_text(int code);

#endif

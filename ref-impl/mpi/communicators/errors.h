/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Error handlers and the texts of errors. Chapter 7 of MPI.
 *
 * The library's error codes are its error classes; those that a program adds follow them. A handler belongs to a
 * communicator and is handed on to those made from it.
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

/* errors_text - the sentence of an error code, or NULL for none; good until errors_set_text or errors_close. */
const char *errors_text(int code);

/* errors_class - the class of a code that has a text.
 * errors_last - the last code that there is. */
int errors_class(int code);
int errors_last(void);

/* errors_add - a new code of a class, or one that is a class itself where that is negative; its text is empty.
 * Negative: memory is used up.
 * errors_set_text - gives the text of a code that errors_add made; it is copied. False: memory is used up. */
int errors_add(int class);
bool errors_set_text(int code, const char *text);

#endif

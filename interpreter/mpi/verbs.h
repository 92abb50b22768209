/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The chapters of the MPI interpreter.
 */
#ifndef INTERPRETER_MPI_VERBS_H
#define INTERPRETER_MPI_VERBS_H

#include "../core/verbs.h"
#include "call.h"

/* Each ends with a row without name. */
extern const struct verb mpi_environment[], mpi_errors[], mpi_messages[], mpi_exchange[], mpi_requests[], mpi_several[],
    mpi_types[], mpi_packing[], mpi_communicators[], mpi_groups[], mpi_attributes[], mpi_operations[],
    mpi_collectives[], mpi_reductions[], mpi_native[], mpi_waiting[];

/* environment_begin keeps the program's arguments for MPI_Init. It takes the option --initialize out of them; when
 * there are none at all, it calls MPI_Init, which may bring them. Gives the word for `hello` that says so. */
const char *environment_begin(int *count, char ***arguments);

/* environment_ready calls MPI_Init, where the option wants it, on the main thread. The verb MPI_Init then answers with
 * what came out. */
void environment_ready(void);

/* operations_describe adds the functions that MPI_Op_create can be given. */
void operations_describe(struct line *line);

/* errors_adopt makes a new communicator return errors, unless errors_keep(true) was called. */
void errors_keep(bool keep);
void errors_adopt(struct call *call, MPI_Comm comm);

#endif

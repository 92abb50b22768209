/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators: values that programs attach under keys. Chapter 5.7 of MPI, 2.5 of IMPI.
 */
#ifndef REF_IMPL_MPI_ATTR_H
#define REF_IMPL_MPI_ATTR_H

#include "ref-impl/include/mpi.h"

struct mpi_comm;
struct attr_entry;

/* The attributes of one communicator. */
struct attr_set {
    struct attr_entry *first; /* those of the program, oldest first */
    int tag_ub, host, io, wtime_is_global;
    int client_size, client_color, host_size, host_color; /* 2.5 of IMPI */
};

/* attr_set_up - fills in what every communicator has; its groups must be there. */
void attr_set_up(struct mpi_comm *comm);

/* attr_copy_all - asks the copy functions of `from` what of its attributes `to` shall have. The code of the first
 * function that fails; what had been copied until then stays. */
int attr_copy_all(struct mpi_comm *from, struct mpi_comm *to);

/* attr_delete_all - takes all attributes away, the newest first. The code of the first delete function that fails; that
 * attribute and those after it stay. */
int attr_delete_all(struct mpi_comm *comm);

/* attr_close - forgets all keys. */
void attr_close(void);

#endif

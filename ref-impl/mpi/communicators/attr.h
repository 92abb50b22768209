/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of communicators: values that programs attach under keys, and those that every communicator has. Chapters
 * 5.7 and 7.1.1 of MPI, 2.5 of IMPI.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_ATTR_H
#define REF_IMPL_MPI_COMMUNICATORS_ATTR_H

#include <stdbool.h>

#include "ref-impl/include/mpi.h"

struct mpi_comm;
struct attr_entry;

enum { ATTR_FIXED = IMPI_HOST_COLOR + 1 }; /* keys that every communicator has */

/* The attributes of one communicator. */
struct attr_set {
    int fixed[ATTR_FIXED];     /* by key */
    struct attr_entry *newest; /* those of the program */
    unsigned calls;            /* of copy and delete functions that have not returned */
};

/* attr_set_up - computes what every communicator has; its groups must be there. False: memory is used up. */
bool attr_set_up(struct mpi_comm *comm);

/* attr_copy_all - asks the copy functions of the keys which attributes of `from` a new communicator shall have, the
 * oldest first; of what these put meanwhile nothing is copied. The error class of the first function that fails; what
 * had been copied until then stays. MPI_ERR_OTHER: memory is used up. */
int attr_copy_all(struct mpi_comm *from, struct mpi_comm *to);

/* attr_delete_all - takes a program's attributes away and calls their delete functions, the newest first. The error
 * class of the first one that fails; that attribute and the older ones stay. MPI_ERR_OTHER, and nothing has happened:
 * called by a copy or delete function of this communicator. */
int attr_delete_all(struct mpi_comm *comm);

/* attr_drop - takes them away without calling anybody. */
void attr_drop(struct mpi_comm *comm);

/* attr_close - forgets all keys of the program. */
void attr_close(void);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Attributes of a communicator that is copied or freed. Chapter 5.7 of MPI.
 */
#ifndef REF_IMPL_MPI_API_ATTR_H
#define REF_IMPL_MPI_API_ATTR_H

struct mpi_comm;

/* attr_copy_all - asks the copy functions of the keys which attributes of `from` a new communicator shall have, the
 * oldest first; of what these put meanwhile nothing is copied. The error class of the first function that fails; what
 * had been copied until then stays. MPI_ERR_OTHER: memory is used up. */
int attr_copy_all(struct mpi_comm *from, struct mpi_comm *to);

/* attr_delete_all - takes a program's attributes away and calls their delete functions, the newest first. The error
 * class of the first one that fails; that attribute and the older ones stay. MPI_ERR_OTHER, and nothing has happened:
 * called by a copy or delete function of this communicator. */
int attr_delete_all(struct mpi_comm *comm);

#endif

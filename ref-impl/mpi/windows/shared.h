/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory of a window that all its processes can read and write: MPI_Win_allocate_shared, chapter 11.2.3 of MPI-3. The
 * part of each process begins where that of the rank before it ends.
 */
#ifndef REF_IMPL_MPI_WINDOWS_SHARED_H
#define REF_IMPL_MPI_WINDOWS_SHARED_H

#include <stddef.h>

#include "ref-impl/include/mpi.h"

struct mpi_comm;
struct mpi_win;

/* What a process has of it. */
struct shared_parts {
    void *memory; /* all of it, given back with munmap */
    size_t octets;
    void *own; /* where this process's part begins */
};

/* shared_parts_make - makes it, with a part of `size` octets for this process; blocks until all processes have called
 * it. An error class, the same at all of them: MPI_ERR_RMA_SHARED where they are not on one machine. */
int shared_parts_make(struct mpi_comm *comm, MPI_Aint size, struct shared_parts *parts);

/* shared_part - where the part of a rank of such a window begins in this process. */
void *shared_part(const struct mpi_win *win, int rank);

#endif

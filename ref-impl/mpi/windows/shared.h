/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory of a window that all its processes can read and write: MPI_Win_allocate_shared (chapter 11.2.3 of MPI-3),
 * where the part of each process begins where that of the rank before it ends; and of MPI_Win_allocate where all
 * processes are on one machine, so that accesses need nobody at the target (direct.h): there parts share no line of
 * the cache.
 */
#ifndef REF_IMPL_MPI_WINDOWS_SHARED_H
#define REF_IMPL_MPI_WINDOWS_SHARED_H

#include <stdbool.h>
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

/* shared_parts_can - whether all processes, which call it together, can reach memory of each other so.
 * shared_parts_give - the window, which is new, has it from now on, and knows where the part of each rank is. */
bool shared_parts_can(struct mpi_comm *comm);
void shared_parts_give(const struct shared_parts *parts, struct mpi_win *win);

/* shared_alone - the octets of a part that shares no line of the cache with the next one. */
static inline size_t shared_alone(size_t octets)
{
    return (octets + 63) / 64 * 64;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations, as the library itself uses them and as api/collectives/ shows them to programs: arguments are
 * good when they come here. Chapter 4 of MPI, chapter 4 of IMPI.
 *
 * Messages go under the collective context of the communicator, with the tags of 4.25 of IMPI. All functions block
 * until this process has done its part, and return error classes.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_COLL_H
#define REF_IMPL_MPI_COLLECTIVES_COLL_H

#include <stdbool.h>

#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/communicators/comm.h"
#include "ref-impl/mpi/types/type.h"

/* What is sent or received: so many elements at a place. */
struct coll_data {
    void *buffer;
    int count;
    struct mpi_type *type;
};

/* A block of data for each rank of the communicator: `count` elements, behind the blocks of the ranks before it; or, as
 * a vector, counts[r] elements for rank r, displs[r] extents behind the buffer's begin; or, where each block has a type
 * of its own, displs[r] octets. */
struct coll_blocks {
    void *buffer;
    bool vector;
    int count;
    const int *counts, *displs;
    struct mpi_type *type;
    struct mpi_type *const *types; /* [size]; NULL: all blocks have `type` */
};

/* coll_block - the block of a rank. */
struct coll_data coll_block(const struct coll_blocks *blocks, int rank);

/* What is combined: `count` elements of each process at `in`, to `out`, which may be the same place. */
struct coll_reduction {
    const void *in;
    void *out;
    int count;
    struct mpi_type *type;
    struct mpi_op *op;
};

/* coll_barrier - returns when all processes of an intracommunicator have called it. */
int coll_barrier(struct mpi_comm *comm);

/* coll_bcast - from the root to all. */
int coll_bcast(struct mpi_comm *comm, const struct coll_data *data, int root);

/* coll_gather - from all to the root, where alone `in` is looked at, but for `vector`.
 * coll_scatter - from the root, where alone `out` is looked at, but for `vector`, to all. */
int coll_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root);
int coll_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root);

/* coll_allgather - from all to all the same.
 * coll_alltoall - from all to each its own.
 * coll_alltoall_in_place - the same, where what comes from a rank takes the place of what went to it. */
int coll_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in);
int coll_alltoall(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_blocks *in);
int coll_alltoall_in_place(struct mpi_comm *comm, const struct coll_blocks *blocks);

/* coll_reduce - to the root, where alone `out` is looked at.
 * coll_allreduce - to all.
 * coll_scan - of all processes up to this one.
 * coll_exscan - of all before this one; the first keeps what is at `out`.
 * Operands are combined in the order of ranks. */
int coll_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root);
int coll_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction);
int coll_scan(struct mpi_comm *comm, const struct coll_reduction *reduction);
int coll_exscan(struct mpi_comm *comm, const struct coll_reduction *reduction);

/* coll_reduce_scatter - as coll_reduce, of the sum of `counts` elements, of which rank r gets counts[r] to `out`. */
int coll_reduce_scatter(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts);

#endif

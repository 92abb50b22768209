/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on a communicator whose processes are all of one client, where no document prescribes who sends
 * to whom. Chapter 3 of the paper on MPI for Puma: along a minimum spanning tree for short messages (tree.c), around a
 * ring in pieces for long ones (bucket.c); within.c chooses. All return error classes, and block as coll.h says.
 *
 *      tree, 6 processes, from 0            ring, 4 processes: a piece goes from rank to rank
 *                 0                                   0 --> 1
 *              /  |  \                                ^     |
 *             1   2   4                               |     v
 *                 |   |                               3 <-- 2
 *                 3   5
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_WITHIN_H
#define REF_IMPL_MPI_COLLECTIVES_WITHIN_H

#include <stdbool.h>

#include "ref-impl/mpi/collectives/coll.h"

/* within_one - whether all processes are of one client, and there are at least two.
 * within_is_long - whether so many octets, of all processes together, go around the ring. */
bool within_one(const struct mpi_comm *comm);
bool within_is_long(const struct mpi_comm *comm, size_t octets);

/* within_is_short - whether blocks like this one go along the tree in gather and scatter: `vector` ones do not. */
bool within_is_short(const struct mpi_comm *comm, const struct coll_data *block, bool vector);

/* within_barrier - as coll_barrier: in round r each tells the one 2^r ranks further on, and hears from the one 2^r
 * back. */
int within_barrier(struct mpi_comm *comm);

/* within_bcast, within_gather, within_scatter, within_allgather, within_reduce, within_allreduce - as those of coll.h.
 * Gather and scatter are not for vectors, whose lengths only the root knows.
 * within_reduce_scatter - the long form alone, of an operation that commutes. */
int within_bcast(struct mpi_comm *comm, const struct coll_data *data, int root);
int within_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root);
int within_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root);
int within_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in);
int within_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root);
int within_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction);
int within_reduce_scatter(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts);

#endif

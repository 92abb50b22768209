/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The minimum spanning tree of the processes of one client, for short messages. Chapter 3.1 of the paper on MPI for
 * Puma. Parents send without waiting for children. All block, and return error classes.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_WITHIN_TREE_H
#define REF_IMPL_MPI_COLLECTIVES_WITHIN_TREE_H

#include "ref-impl/mpi/collectives/coll.h"

/* within_tree_bcast - from the root to all. */
int within_tree_bcast(struct mpi_comm *comm, const struct coll_data *data, int root);

/* within_tree_gather, within_tree_scatter - of `block` octets of each process, which stand at the root, packed, in the
 * order of ranks from the root on, at `all`. Others have room for as much there, and their own block in its place. */
int within_tree_gather(struct mpi_comm *comm, unsigned char *all, size_t block, int root);
int within_tree_scatter(struct mpi_comm *comm, unsigned char *all, size_t block, int root);

/* within_tree_reduce - to rank 0. `so_far` has this process's operands and then what its subtree comes to; `room` takes
 * those of others. Operands are combined in the order of ranks. */
int within_tree_reduce(struct mpi_comm *comm, const struct coll_data *so_far, const struct coll_data *room,
                       const struct mpi_op *op);

#endif

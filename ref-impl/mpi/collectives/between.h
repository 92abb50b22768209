/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations between the two groups of an intercommunicator, of MPI-2 (7.3): what the processes of one group
 * give, those of the other get. Arguments are good when they come here, as in coll.h; a root is MPI_ROOT at the process
 * that is it, MPI_PROC_NULL at the others of its group, and its rank at those of the other group.
 *
 * Every part goes straight from who has it to who wants it. Where both groups give, the one with the process that has
 * the lower rank in MPI_COMM_WORLD at its head does so first, so that nobody waits in a circle.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_BETWEEN_H
#define REF_IMPL_MPI_COLLECTIVES_BETWEEN_H

#include "ref-impl/mpi/collectives/coll.h"

/* between_barrier, between_bcast, between_gather, between_scatter, between_allgather, between_alltoall, between_reduce,
 * between_allreduce, between_reduce_scatter - as those of coll.h; `counts` of a reduction that is scattered is NULL for
 * equal shares. They block; an error class. */
int between_barrier(struct mpi_comm *comm);
int between_bcast(struct mpi_comm *comm, const struct coll_data *data, int root);
int between_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root);
int between_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root);
int between_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in);
int between_alltoall(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_blocks *in);
int between_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root);
int between_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction);
int between_reduce_scatter(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts);

#endif

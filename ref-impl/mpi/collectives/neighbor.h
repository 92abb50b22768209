/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations between neighbours in a topology: blocks from each source, and to each target. Chapter 7.6 of
 * MPI-3. They differ only in where the blocks are, so all of them are one exchange along a list of blocks.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_NEIGHBOR_H
#define REF_IMPL_MPI_COLLECTIVES_NEIGHBOR_H

#include "ref-impl/mpi/collectives/coll.h"

struct request;

/* One block, of which `data.type` is held where it is not NULL. */
struct neighbor_block {
    int peer; /* MPI_PROC_NULL: the block stays as it is */
    struct coll_data data;
    struct request *request; /* while it is under way */
};

/* What is received and what is sent, in the order of sources and of targets. */
struct neighbor_plan {
    int in_count, out_count;
    struct neighbor_block *in, *out;
    struct neighbor_block block[]; /* of both */
};

/* neighbor_plan_new - a plan with the peers of a communicator that has a topology, and no data yet. NULL: memory is
 * used up.
 * neighbor_plan_release - takes it away. */
struct neighbor_plan *neighbor_plan_new(const struct mpi_comm *comm);
void neighbor_plan_release(void *plan);

/* neighbor_exchange - receives and sends all blocks of a plan; blocks. An error class. */
int neighbor_exchange(struct mpi_comm *comm, void *plan);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The ring: pieces that go from each process to the next one. Chapter 3.2 of the paper on MPI for Puma. Each process
 * posts room for all pieces that it will get, tells the process before it that it is ready, and then sends, as soon as
 * the process behind it has said so, every piece that it has, without another word.
 *
 * Members are counted around the ring from a rank on: member m is rank (first + m) mod size.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_BUCKET_H
#define REF_IMPL_MPI_COLLECTIVES_BUCKET_H

#include "ref-impl/mpi/collectives/coll.h"

/* bucket_allgather - each member has one piece and gets all others: `piece` is by member, of which this process's is
 * there. Of a piece all members have as many octets. Blocks. */
int bucket_allgather(struct mpi_comm *comm, const struct coll_data *piece, int first);

/* bucket_reduce_scatter - `operands` of this process and `results` are by rank, alike, in memory apart: this process's
 * piece of the results is there afterwards; the others are used up. The operation commutes. Blocks. */
int bucket_reduce_scatter(struct mpi_comm *comm, const struct coll_data *operands, const struct coll_data *results,
                          const struct mpi_op *op);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Short collective operations on one node, through memory that all processes of the communicator share. Each process
 * has a slot, in which it alone writes what it contributes, and in which all others read it when they need it: one
 * line of the cache travels, and nobody who is awake has to be told anything.
 *
 *      slot of rank 0           slot of rank 1           slot of rank 2
 *    +-------------------+    +-------------------+    +-------------------+
 *    | through with 40   |    | through with 41   |    | through with 41   |
 *    | cell 0: of 40, .. |    | cell 0: of 40, .. |    | cell 0: of 40, .. |
 *    | cell 1: of 41, .. |    | cell 1: of 33, .. |    | cell 1: of 41, .. |
 *    | cell 2: of 34, .. |    | cell 2: of 42, .. |    | cell 2: of 42, .. |
 *       ...                      ...                      ...
 *
 * Operations are counted, at each process alike. What a process contributes to operation n is in its cell n modulo
 * SLOTS_CELLS, which it writes when all are through with operation n - SLOTS_CELLS: so far may a root be ahead.
 *
 * Waiting. Who waits for another's cell looks again and again (nal/drive.h), and lets messages go on meanwhile. Then it
 * says in its slot for whom it sleeps, and receives an empty message from that process, which sends it when it has
 * written something. So sleeping, progress and fibers are those of any receive (messages/engine.h).
 *
 * Which operations go this way is the same at all processes, since it depends on what they have in common: how often
 * they called, and how many octets one contributes. A communicator shares memory from its eighth such operation on,
 * where all its processes can; else, and for nonblocking operations, they go by messages. Where the user wants to see
 * messages they always do: ASSAY_COLLECTIVES=messages says so, and ASSAY_NAL that names another network than shm,
 * ASSAY_TRACE, and ASSAY_MPI=puma.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_SLOTS_H
#define REF_IMPL_MPI_COLLECTIVES_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/mpi/collectives/coll.h"

/* slots_configured - whether ASSAY_COLLECTIVES says what it can say; false with a line on stderr. */
bool slots_configured(void);

/* slots_take - whether the next operation of a communicator within one client goes this way, where each process that
 * contributes does so with as many octets; shares the memory where it is time to: blocks then.
 * slots_take_row - the same of one where it contributes a block of so many for each process.
 * slots_take_reduction - the same of a reduction. */
bool slots_take(struct mpi_comm *comm, size_t octets);
bool slots_take_row(struct mpi_comm *comm, size_t octets);
bool slots_take_reduction(struct mpi_comm *comm, const struct coll_reduction *reduction);

/* slots_barrier, slots_bcast, slots_gather, slots_scatter, slots_allgather, slots_alltoall, slots_reduce,
 * slots_allreduce - as those of coll.h, once taken; blocks are no vectors. */
int slots_barrier(struct mpi_comm *comm);
int slots_bcast(struct mpi_comm *comm, const struct coll_data *data, int root);
int slots_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root);
int slots_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root);
int slots_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in);
int slots_alltoall(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_blocks *in);
int slots_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root);
int slots_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction);

#endif

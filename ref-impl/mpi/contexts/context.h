/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Context ids: how the processes that make a communicator together agree on a pair that is new to all of them. Chapter
 * 4.3 to 4.9 of IMPI.
 */
#ifndef REF_IMPL_MPI_CONTEXTS_CONTEXT_H
#define REF_IMPL_MPI_CONTEXTS_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/mpi/communicators/comm.h"

/* comm_context_offer - the highest context id that this process has used, as it is put before the others: odd. */
uint64_t comm_context_offer(void);

/* comm_context_take - takes what was found to be the highest of all offers, and stores the contexts of the new
 * communicator; `local` and `remote`, which may be NULL, are who agrees. May block until those of them that are in this
 * client have called it. MPI_ERR_OTHER: there are no more, and nothing has changed; or comm_slot_find has failed. */
int comm_context_take(uint64_t highest, const struct mpi_group *local, const struct mpi_group *remote,
                      struct comm_context *context);

/* comm_context_agree - the whole of it among the processes of an intracommunicator; blocks until all have called it. An
 * error class. */
int comm_context_agree(struct mpi_comm *comm, struct comm_context *context);

/* comm_context_settle - finds contexts for `made`, a communicator that has none of its own yet (comm_new), among the
 * processes of `comm`, which is native; blocks until all have called it. In the fiber of a nonblocking operation: each
 * process may be about others with other processes meanwhile. An error class. */
int comm_context_settle(struct mpi_comm *comm, struct mpi_comm *made);

/* comm_context_close - begins anew. */
void comm_context_close(void);

#endif

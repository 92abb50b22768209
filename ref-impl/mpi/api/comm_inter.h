/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Agreement between the two groups of an intercommunicator, by messages under its point-to-point context (within a
 * client under the other one): there are no collective operations on it. Chapters 4.5, 4.6, 4.8 and 4.9 of IMPI.
 *
 * Ranks 0 lead. A leader hears what the other group's members say and answers them: lines cross.
 */
#ifndef REF_IMPL_MPI_API_COMM_INTER_H
#define REF_IMPL_MPI_API_COMM_INTER_H

#include "ref-impl/mpi/communicators/comm.h"

/* comm_inter_agree - contexts that are new to both groups, for MPI_Comm_dup; blocks until all have called it. An
 * error class. */
int comm_inter_agree(struct mpi_comm *comm, struct comm_context *context);

/* comm_inter_barrier - returns when all of both groups have called it, for MPI_Comm_free between clients. */
int comm_inter_barrier(struct mpi_comm *comm);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the collective functions of this folder have in common. Each operation has one function that checks and does it;
 * the call that is handed to it says whether at once (call_on) or beside what the program does (call_later).
 */
#ifndef REF_IMPL_MPI_API_COLLECTIVES_COLLECTIVE_H
#define REF_IMPL_MPI_API_COLLECTIVES_COLLECTIVE_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/collectives/call.h"

/* api_collective_data - checks a buffer of one process, and makes it the library's. */
struct coll_data api_collective_data(struct mpi_call *call, const void *buffer, int count, MPI_Datatype datatype,
                                     enum address_use use);

/* api_collective_counts - checks counts of blocks, one for each process of the group, and stores their sum. */
void api_collective_counts(struct mpi_call *call, const struct mpi_group *group, const int *counts, int *sum);

/* api_collective_peers - the group whose processes blocks are for, or from; NULL where the call has failed. */
const struct mpi_group *api_collective_peers(const struct mpi_call *call);

/* api_collective_is_root - whether this process is the root of a call that is good so far.
 * api_collective_is_leaf - whether it gives to the root, or gets from it: in an intercommunicator those of the other
 * group. */
bool api_collective_is_root(const struct mpi_call *call, int root);
bool api_collective_is_leaf(const struct mpi_call *call, int root);

/* api_collective_end - what the function returns: does the operation, or begins it and stores its request, where the
 * call has not failed. */
int api_collective_end(struct mpi_call *call, const struct coll_call *what);

/* api_later_end - begins `work` (nonblocking/operation.h), whose arguments it takes, and stores the request of the
 * call; what the function returns. */
int api_later_end(struct mpi_call *call, int (*work)(struct mpi_comm *comm, void *arguments),
                  void (*release)(void *arguments), void *arguments);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The last step of all functions that make a communicator with a topology.
 */
#ifndef REF_IMPL_MPI_API_TOPO_H
#define REF_IMPL_MPI_API_TOPO_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/communicators/topology.h"

/* topo_make - makes a communicator of these members with this topology, both of which are released, also where they are
 * NULL for want of memory. All processes of the call's communicator take part. What the function returns. */
int topo_make(struct mpi_call *call, struct mpi_group *members, struct topology *topology, MPI_Comm *handle);

#endif

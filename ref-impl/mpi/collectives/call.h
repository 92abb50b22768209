/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A collective operation with its arguments, which are good, to be done now or later.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_CALL_H
#define REF_IMPL_MPI_COLLECTIVES_CALL_H

#include "ref-impl/mpi/collectives/coll.h"

struct coll_call;

/* Which operation it is: one of the functions below. */
typedef int coll_run(struct mpi_comm *comm, const struct coll_call *call);

/* Each operation looks at what it needs. An `out.buffer` that is MPI_IN_PLACE: blocks are sent from where others come
 * to. */
struct coll_call {
    coll_run *run;
    struct coll_data data; /* what this process gives or gets alone */
    struct coll_blocks out, in;
    struct coll_reduction reduction;
    const int *counts; /* of a reduction that is scattered; NULL: equal shares */
    int root;
};

/* coll_run_barrier, .. - do the operation of coll.h, or of between.h, that has the same name. Block; an error class. */
coll_run coll_run_barrier, coll_run_bcast, coll_run_gather, coll_run_scatter, coll_run_allgather, coll_run_alltoall,
    coll_run_reduce, coll_run_allreduce, coll_run_scan, coll_run_exscan, coll_run_reduce_scatter;

/* coll_call_keep - a copy that holds types and operation, to be done later on this communicator. Buffers, counts and
 * displacements stay the program's. NULL: memory is used up.
 * coll_call_release - takes such a copy away. */
struct coll_call *coll_call_keep(const struct mpi_comm *comm, const struct coll_call *call);
void coll_call_release(struct coll_call *call);

#endif

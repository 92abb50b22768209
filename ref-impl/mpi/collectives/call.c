/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations with their arguments: see call.h.
 */
#include "ref-impl/mpi/collectives/call.h"

#include <stdlib.h>

#include "ref-impl/mpi/collectives/between.h"

int coll_run_barrier(struct mpi_comm *comm, const struct coll_call *call)
{
    (void)call;
    return comm->remote ? between_barrier(comm) : coll_barrier(comm);
}

int coll_run_bcast(struct mpi_comm *comm, const struct coll_call *call)
{
    return comm->remote ? between_bcast(comm, &call->data, call->root) : coll_bcast(comm, &call->data, call->root);
}

int coll_run_gather(struct mpi_comm *comm, const struct coll_call *call)
{
    return comm->remote ? between_gather(comm, &call->data, &call->in, call->root)
                        : coll_gather(comm, &call->data, &call->in, call->root);
}

int coll_run_scatter(struct mpi_comm *comm, const struct coll_call *call)
{
    return comm->remote ? between_scatter(comm, &call->out, &call->data, call->root)
                        : coll_scatter(comm, &call->out, &call->data, call->root);
}

int coll_run_allgather(struct mpi_comm *comm, const struct coll_call *call)
{
    return comm->remote ? between_allgather(comm, &call->data, &call->in)
                        : coll_allgather(comm, &call->data, &call->in);
}

int coll_run_alltoall(struct mpi_comm *comm, const struct coll_call *call)
{
    if (comm->remote) {
        return between_alltoall(comm, &call->out, &call->in);
    }
    return call->out.buffer == MPI_IN_PLACE ? coll_alltoall_in_place(comm, &call->in)
                                            : coll_alltoall(comm, &call->out, &call->in);
}

int coll_run_reduce(struct mpi_comm *comm, const struct coll_call *call)
{
    return comm->remote ? between_reduce(comm, &call->reduction, call->root)
                        : coll_reduce(comm, &call->reduction, call->root);
}

int coll_run_allreduce(struct mpi_comm *comm, const struct coll_call *call)
{
    return comm->remote ? between_allreduce(comm, &call->reduction) : coll_allreduce(comm, &call->reduction);
}

int coll_run_scan(struct mpi_comm *comm, const struct coll_call *call)
{
    return coll_scan(comm, &call->reduction);
}

int coll_run_exscan(struct mpi_comm *comm, const struct coll_call *call)
{
    return coll_exscan(comm, &call->reduction);
}

/* Equal shares: the elements are a multiple of the processes. */
static int reduce_scatter_equal(struct mpi_comm *comm, const struct coll_call *call)
{
    int size = comm->local->count, code;
    int *counts = malloc((size_t)size * sizeof(*counts));

    if (!counts) {
        return MPI_ERR_OTHER;
    }
    for (int rank = 0; rank < size; rank++) {
        counts[rank] = call->reduction.count / size;
    }
    code = coll_reduce_scatter(comm, &call->reduction, counts);
    free(counts);
    return code;
}

int coll_run_reduce_scatter(struct mpi_comm *comm, const struct coll_call *call)
{
    if (comm->remote) {
        return between_reduce_scatter(comm, &call->reduction, call->counts);
    }
    return call->counts ? coll_reduce_scatter(comm, &call->reduction, call->counts) : reduce_scatter_equal(comm, call);
}

/* ---- kept for later --------------------------------------------------------------------------------------------- */

/* The types of a copy, one after the other: stores up to four, and returns how many. */
static int types_of(const struct coll_call *call, struct mpi_type **types)
{
    struct mpi_type *all[] = {call->data.type, call->out.type, call->in.type, call->reduction.type};
    int count = 0;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (all[i]) {
            types[count++] = all[i];
        }
    }
    return count;
}

/* What a copy keeps behind itself: the types of blocks that have one each. */
struct kept {
    struct coll_call call;
    int types;               /* so many in all */
    struct mpi_type *type[]; /* of the blocks that go out, then of those that come in */
};

/* Copies the types of blocks behind the others. */
static void keep_blocks(struct kept *kept, struct coll_blocks *blocks, int size)
{
    struct mpi_type **first = &kept->type[kept->types];

    for (int rank = 0; blocks->types && rank < size; rank++) {
        type_hold(kept->type[kept->types++] = blocks->types[rank]);
    }
    blocks->types = blocks->types ? first : NULL;
}

struct coll_call *coll_call_keep(const struct mpi_comm *comm, const struct coll_call *call)
{
    int size = comm_peers(comm)->count;
    size_t blocks = call->out.types || call->in.types ? 2 * (size_t)size : 0;
    struct kept *kept = malloc(sizeof(*kept) + blocks * sizeof(kept->type[0]));
    struct mpi_type *types[4];

    if (!kept) {
        return NULL;
    }
    kept->call = *call;
    kept->types = 0;
    keep_blocks(kept, &kept->call.out, size);
    keep_blocks(kept, &kept->call.in, size);
    for (int i = types_of(call, types); i-- > 0;) {
        type_hold(types[i]);
    }
    if (call->reduction.op) {
        op_hold(call->reduction.op);
    }
    return &kept->call;
}

void coll_call_release(struct coll_call *call)
{
    struct kept *kept = (struct kept *)call;
    struct mpi_type *types[4];

    for (int i = types_of(call, types); i-- > 0;) {
        type_release(types[i]);
    }
    for (int i = 0; i < kept->types; i++) {
        type_release(kept->type[i]);
    }
    if (call->reduction.op) {
        op_release(call->reduction.op);
    }
    free(kept);
}

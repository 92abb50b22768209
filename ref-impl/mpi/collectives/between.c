/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations between two groups: see between.h.
 */
#include "ref-impl/mpi/collectives/between.h"

#include <stdint.h>

#include "ref-impl/mpi/collectives/parts.h"

/* What an operation gives and takes; each looks at what it needs. */
struct work {
    const struct coll_data *data;
    const struct coll_blocks *out, *in;
    const struct coll_reduction *reduction;
    const int *counts;
};

/* One half of an operation: what this process does with all of the other group. */
typedef int half(struct mpi_comm *comm, enum coll_tag tag, const struct work *work);

static int give_all(struct mpi_comm *comm, enum coll_tag tag, const struct coll_data *data)
{
    int code = MPI_SUCCESS;

    for (int rank = 0; rank < comm->remote->count && code == MPI_SUCCESS; rank++) {
        code = coll_send(comm, tag, rank, data);
    }
    return code;
}

static int give_data(struct mpi_comm *comm, enum coll_tag tag, const struct work *work)
{
    return give_all(comm, tag, work->data);
}

static int give_blocks(struct mpi_comm *comm, enum coll_tag tag, const struct work *work)
{
    int code = MPI_SUCCESS;

    for (int rank = 0; rank < comm->remote->count && code == MPI_SUCCESS; rank++) {
        struct coll_data block = coll_block(work->out, rank);

        code = coll_send(comm, tag, rank, &block);
    }
    return code;
}

static int take_blocks(struct mpi_comm *comm, enum coll_tag tag, const struct work *work)
{
    int code = MPI_SUCCESS;

    for (int rank = 0; rank < comm->remote->count && code == MPI_SUCCESS; rank++) {
        struct coll_data block = coll_block(work->in, rank);

        code = coll_receive(comm, tag, rank, &block);
    }
    return code;
}

static int take_signals(struct mpi_comm *comm, enum coll_tag tag, const struct work *work)
{
    int code = MPI_SUCCESS;

    for (int rank = 0; rank < comm->remote->count && code == MPI_SUCCESS; rank++) {
        code = coll_receive(comm, tag, rank, work->data);
    }
    return code;
}

/* Combines the operands of the other group in the order of its ranks: from the last one on, each before the rest. */
static int combine(struct mpi_comm *comm, enum coll_tag tag, const struct coll_reduction *reduction)
{
    struct coll_data result = {reduction->out, reduction->count, reduction->type};
    int rank = comm->remote->count - 1, code;
    struct coll_room room;

    if (!coll_room_new(&room, reduction->count, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    code = coll_receive(comm, tag, rank, &result);
    while (code == MPI_SUCCESS && rank-- > 0) {
        code = coll_receive(comm, tag, rank, &room.data);
        if (code == MPI_SUCCESS) {
            op_apply(reduction->op, reduction->type, reduction->count, room.data.buffer, result.buffer);
        }
    }
    coll_room_free(&room);
    return code;
}

static int take_result(struct mpi_comm *comm, enum coll_tag tag, const struct work *work)
{
    return combine(comm, tag, work->reduction);
}

/* This process's part of the result of a reduction that is scattered. */
static int take_share(struct mpi_comm *comm, enum coll_tag tag, const struct work *work)
{
    const struct coll_reduction *reduction = work->reduction;
    int before = 0, count = reduction->count / comm->local->count, code;
    struct coll_reduction whole = *reduction;
    struct coll_room room;

    if (!coll_room_new(&room, reduction->count, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    for (int rank = 0; rank < comm->rank; rank++) {
        before += work->counts ? work->counts[rank] : count;
    }
    count = work->counts ? work->counts[comm->rank] : count;
    whole.out = room.data.buffer;
    code = combine(comm, tag, &whole);
    if (code == MPI_SUCCESS) {
        const struct coll_blocks shares = {
            .buffer = whole.out, .vector = true, .counts = &count, .displs = &before, .type = reduction->type};
        const struct coll_data mine = {reduction->out, count, reduction->type};
        const struct coll_data share = coll_block(&shares, 0);

        code = coll_copy(&share, &mine);
    }
    coll_room_free(&room);
    return code;
}

/* Both groups give and take. */
static int both(struct mpi_comm *comm, enum coll_tag tag, const struct work *work, half *give, half *take)
{
    bool first = comm->local->world[0] < comm->remote->world[0];
    int code = (first ? give : take)(comm, tag, work);

    return code == MPI_SUCCESS ? (first ? take : give)(comm, tag, work) : code;
}

int between_barrier(struct mpi_comm *comm)
{
    const struct coll_data signal = {NULL, 0, type_find(MPI_BYTE)};

    return both(comm, COLL_BARRIER, &(struct work){.data = &signal}, give_data, take_signals);
}

int between_bcast(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    if (root == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    return root == MPI_ROOT ? give_all(comm, COLL_BCAST, data) : coll_receive(comm, COLL_BCAST, root, data);
}

int between_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root)
{
    if (root == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    return root == MPI_ROOT ? take_blocks(comm, COLL_GATHER, &(struct work){.in = in})
                            : coll_send(comm, COLL_GATHER, root, out);
}

int between_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root)
{
    if (root == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    return root == MPI_ROOT ? give_blocks(comm, COLL_SCATTER, &(struct work){.out = out})
                            : coll_receive(comm, COLL_SCATTER, root, in);
}

int between_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in)
{
    return both(comm, COLL_GATHER, &(struct work){.data = out, .in = in}, give_data, take_blocks);
}

int between_alltoall(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_blocks *in)
{
    return both(comm, COLL_ALLTOALL, &(struct work){.out = out, .in = in}, give_blocks, take_blocks);
}

static struct coll_data operand_of(const struct coll_reduction *reduction)
{
    return (struct coll_data){(void *)(uintptr_t)reduction->in, reduction->count, reduction->type};
}

int between_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root)
{
    if (root == MPI_PROC_NULL) {
        return MPI_SUCCESS;
    }
    if (root == MPI_ROOT) {
        return combine(comm, COLL_REDUCE, reduction);
    }
    struct coll_data operand = operand_of(reduction);
    return coll_send(comm, COLL_REDUCE, root, &operand);
}

int between_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    struct coll_data operand = operand_of(reduction);

    return both(comm, COLL_REDUCE, &(struct work){.data = &operand, .reduction = reduction}, give_data, take_result);
}

int between_reduce_scatter(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts)
{
    struct coll_data operand = operand_of(reduction);

    return both(comm, COLL_REDUCE, &(struct work){.data = &operand, .reduction = reduction, .counts = counts},
                give_data, take_share);
}

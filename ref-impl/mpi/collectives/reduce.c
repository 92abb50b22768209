/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * MPI_Reduce, MPI_Allreduce, MPI_Scan, MPI_Reduce_scatter. Chapters 4.16 to 4.18 and 4.21 of IMPI, reconstructed.
 *
 * Where the order of operands matters, or all are in one client, the root takes them one by one from the last rank to
 * the first. Else each client's head does so for its client, and the heads combine what they have: up to the limit
 * of 2.3.5 at the root, above it along a tree.
 */
#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/tree.h"
#include "ref-impl/mpi/collectives/within.h"

enum { TREE_CHILDREN_MAX = 31 };

/* A reduction that this process works at: what it has so far, and room for another's. */
struct work {
    struct mpi_comm *comm;
    const struct coll_reduction *reduction;
    struct coll_data so_far;
    struct coll_room other;
};

static struct coll_data own_data(const struct coll_reduction *reduction)
{
    return (struct coll_data){(void *)(uintptr_t)reduction->in, reduction->count, reduction->type};
}

/* so_far = in op so_far. */
static void combine(struct work *work, void *in)
{
    op_apply(work->reduction->op, work->reduction->type, work->reduction->count, in, work->so_far.buffer);
}

static int receive_and_combine(struct work *work, int rank)
{
    int code = coll_receive(work->comm, COLL_REDUCE, rank, &work->other.data); //= IMPI-223

    if (code == MPI_SUCCESS) {
        combine(work, work->other.data.buffer);
    }
    return code;
}

/* Takes the operand of one rank; the first one is the beginning of the result. */
static int take(struct work *work, int rank, bool first)
{
    struct coll_data own = own_data(work->reduction);

    if (rank != work->comm->rank) {
        return first ? coll_receive(work->comm, COLL_REDUCE, rank, &work->so_far) : receive_and_combine(work, rank);
    }
    if (first) {
        type_copy(own.type, (size_t)own.count, own.buffer, work->so_far.buffer);
    } else {
        combine(work, own.buffer);
    }
    return MPI_SUCCESS;
}

/* Takes the operands of all ranks, or of those in this client, from the last to the first. */
static int take_all(struct work *work, bool local_only)
{
    bool first = true;
    int code = MPI_SUCCESS;

    for (int rank = work->comm->local->count - 1; rank >= 0 && code == MPI_SUCCESS; rank--) { //= IMPI-228
        if (!local_only || coll_is_local(work->comm, rank)) {
            code = take(work, rank, first);
            first = false;
        }
    }
    return code;
}

/* Among the heads: all send to the root, which takes them in the order of their masters. */
static int linear(struct work *work, int root)
{
    const struct comm_masters *masters = &work->comm->masters;
    int code = MPI_SUCCESS;

    if (work->comm->rank != root) {
        return coll_send(work->comm, COLL_REDUCE, root, &work->so_far);
    }
    for (int client = 0; client < masters->count && code == MPI_SUCCESS; client++) {
        if (client != masters->own) {
            code = receive_and_combine(work, masters->rank[client]); //= IMPI-225
        }
    }
    return code;
}

static int tree(struct work *work, int root)
{
    int position = coll_position(work->comm, root);
    int children[TREE_CHILDREN_MAX];
    int count = coll_tree_low_children(position, work->comm->masters.count, children);
    int code = MPI_SUCCESS;

    for (int i = 0; i < count && code == MPI_SUCCESS; i++) {
        code = receive_and_combine(work, coll_at(work->comm, children[i], root)); //= IMPI-226
    }
    if (code == MPI_SUCCESS && position > 0) {
        int parent = coll_at(work->comm, coll_tree_low_parent(position), root);

        code = coll_send(work->comm, COLL_REDUCE, parent, &work->so_far);
    }
    return code;
}

/* The part of a process that takes operands of others. */
static int work_as_head(struct work *work, int root, bool ordered)
{
    int code = take_all(work, !ordered);

    if (code == MPI_SUCCESS && !ordered && work->comm->masters.count > 1) {
        code = coll_is_linear(work->comm) ? linear(work, root) : tree(work, root);
    }
    return code;
}

/* Which is the right way, and who takes part in it how. */
int coll_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root)
{
    bool ordered = comm->masters.count == 1 || !op_commutes(reduction->op);
    int head = ordered ? root : coll_head(comm, comm->masters.own, root);
    struct work work = {.comm = comm, .reduction = reduction};
    struct coll_room result = {.memory = NULL};
    struct coll_data own = own_data(reduction);
    bool in_place = reduction->in == reduction->out;
    int code = MPI_ERR_OTHER;

    if (within_one(comm)) {
        return within_reduce(comm, reduction, root);
    }
    if (comm->rank != head) {
        return coll_send(comm, COLL_REDUCE, head, &own); //= IMPI-227
    }
    if (coll_room_new(&work.other, reduction->count, reduction->type) &&
        ((comm->rank == root && !in_place) || coll_room_new(&result, reduction->count, reduction->type))) {
        work.so_far = result.data;
        if (comm->rank == root && !in_place) {
            work.so_far = (struct coll_data){reduction->out, reduction->count, reduction->type};
        }
        code = work_as_head(&work, root, ordered); //= IMPI-224
    }
    if (code == MPI_SUCCESS && comm->rank == root && in_place) {
        type_copy(reduction->type, (size_t)reduction->count, result.data.buffer, reduction->out);
    }
    coll_room_free(&result);
    coll_room_free(&work.other);
    return code;
}

int coll_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    if (within_one(comm)) {
        return within_allreduce(comm, reduction);
    }
    const struct coll_data data = {reduction->out, reduction->count, reduction->type};
    int code = coll_reduce(comm, reduction, 0);

    return code == MPI_SUCCESS ? coll_bcast(comm, &data, 0) : code; //= IMPI-230
}

int coll_scan(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    const struct coll_data result = {reduction->out, reduction->count, reduction->type};
    struct coll_room before;
    int code = MPI_SUCCESS;

    if (!coll_room_new(&before, reduction->count, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    if (reduction->in != reduction->out) {
        type_copy(reduction->type, (size_t)reduction->count, reduction->in, reduction->out);
    }
    if (comm->rank > 0) {
        code = coll_receive(comm, COLL_SCAN, comm->rank - 1, &before.data); //= IMPI-229
    }
    if (comm->rank > 0 && code == MPI_SUCCESS) {
        op_apply(reduction->op, reduction->type, reduction->count, before.data.buffer, reduction->out);
    }
    if (comm->rank + 1 < comm->local->count && code == MPI_SUCCESS) {
        code = coll_send(comm, COLL_SCAN, comm->rank + 1, &result);
    }
    coll_room_free(&before);
    return code;
}

int coll_exscan(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    struct coll_room before, result = {.memory = NULL};
    int code = MPI_ERR_OTHER;

    if (!coll_room_new(&before, reduction->count, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    if (coll_room_new(&result, reduction->count, reduction->type)) {
        type_copy(reduction->type, (size_t)reduction->count, reduction->in, result.data.buffer);
        code = comm->rank > 0 ? coll_receive(comm, COLL_SCAN, comm->rank - 1, &before.data) : MPI_SUCCESS;
    }
    if (comm->rank > 0 && code == MPI_SUCCESS) {
        type_copy(reduction->type, (size_t)reduction->count, before.data.buffer, reduction->out);
        op_apply(reduction->op, reduction->type, reduction->count, before.data.buffer, result.data.buffer);
    }
    if (comm->rank + 1 < comm->local->count && code == MPI_SUCCESS) {
        code = coll_send(comm, COLL_SCAN, comm->rank + 1, &result.data);
    }
    coll_room_free(&result);
    coll_room_free(&before);
    return code;
}

/* Where the part of each rank begins in the whole. */
static int *parts_of(const struct mpi_comm *comm, const int *counts)
{
    int *displs = malloc((size_t)comm->local->count * sizeof(*displs));
    int next = 0;

    for (int rank = 0; displs && rank < comm->local->count; rank++) {
        displs[rank] = next;
        next += counts[rank];
    }
    return displs;
}

int coll_reduce_scatter(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts)
{
    struct coll_reduction to_first = *reduction;
    struct coll_data own = {reduction->out, counts[comm->rank], reduction->type};
    struct coll_room whole = {.memory = NULL};
    size_t octets = type_octets(reduction->type, (size_t)reduction->count, TYPE_NATIVE);
    int *displs;
    int code = MPI_ERR_OTHER;

    if (within_one(comm) && op_commutes(reduction->op) && within_is_long(comm, octets)) {
        return within_reduce_scatter(comm, reduction, counts);
    }
    displs = parts_of(comm, counts);
    if (displs && (comm->rank != 0 || coll_room_new(&whole, reduction->count, reduction->type))) {
        to_first.out = whole.data.buffer;
        code = coll_reduce(comm, &to_first, 0); //= IMPI-233
    }
    if (code == MPI_SUCCESS) {
        const struct coll_blocks parts = {whole.data.buffer, true, 0, counts, displs, reduction->type, NULL};

        code = coll_scatter(comm, &parts, &own, 0);
    }
    coll_room_free(&whole);
    free(displs);
    return code;
}

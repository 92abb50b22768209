/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations within a client: see collectives/within.h. Which way a message goes depends on its octets
 * alone, which are as many at each process, whatever the types are that it has there.
 */
#include "ref-impl/mpi/collectives/within.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "ref-impl/mpi/collectives/bucket.h"
#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/slots.h"
#include "ref-impl/mpi/collectives/within_tree.h"

enum {
    BUCKET_OCTETS = 65536,   /* so many go around the ring */
    BCAST_PROCESSES = 5,     /* so many at least in a broadcast: among fewer the tree has its message there sooner */
    TREE_BLOCK_OCTETS = 2048 /* blocks of less go along the tree in gather and scatter, together */
};

bool within_one(const struct mpi_comm *comm)
{
    return comm->masters.count == 1 && comm->local->count > 1;
}

//= PUMA-092
bool within_is_long(const struct mpi_comm *comm, size_t octets)
{
    return comm->local->count > 1 && octets >= BUCKET_OCTETS && octets <= INT_MAX;
}

static size_t octets_of(const struct coll_data *data)
{
    return type_octets(data->type, (size_t)data->count, TYPE_NATIVE);
}

bool within_is_short(const struct mpi_comm *comm, const struct coll_data *block, bool vector)
{
    return within_one(comm) && !vector && octets_of(block) < TREE_BLOCK_OCTETS;
}

int within_barrier(struct mpi_comm *comm)
{
    const struct coll_data nothing = {NULL, 0, type_find(MPI_BYTE)};
    int size = comm->local->count, code = MPI_SUCCESS;

    if (slots_take(comm, 0)) {
        return slots_barrier(comm);
    }
    for (int distance = 1; distance < size && code == MPI_SUCCESS; distance *= 2) {
        code = coll_trade(comm, COLL_BARRIER, (comm->rank + distance) % size, &nothing,
                          (comm->rank - distance + size) % size, &nothing);
    }
    return code;
}

/* ---- to all, to each, from each --------------------------------------------------------------------------------- */

/* A row of octets cut into as many pieces as there are processes, of which the last ones may be shorter. NULL: memory
 * is used up. */
static struct coll_data *cut(const struct mpi_comm *comm, unsigned char *octets, size_t len)
{
    int size = comm->local->count;
    size_t share = (len + (size_t)size - 1) / (size_t)size;
    struct coll_data *piece = calloc((size_t)size, sizeof(*piece));

    for (int i = 0; piece && i < size; i++) {
        size_t begin = share * (size_t)i < len ? share * (size_t)i : len;
        size_t end = len - begin < share ? len : begin + share;

        piece[i] = (struct coll_data){octets + begin, (int)(end - begin), type_find(MPI_BYTE)};
    }
    return piece;
}

/* The root hands out a piece to each, and the ring brings them to all. */
static int bcast_octets(struct mpi_comm *comm, unsigned char *octets, size_t len, int root)
{
    int size = comm->local->count, own = (comm->rank - root + size) % size;
    struct coll_data *piece = cut(comm, octets, len);
    int code = piece ? MPI_SUCCESS : MPI_ERR_OTHER;

    for (int member = 1; own == 0 && member < size && code == MPI_SUCCESS; member++) {
        code = coll_send(comm, COLL_BCAST, (root + member) % size, &piece[member]);
    }
    if (own > 0 && code == MPI_SUCCESS) {
        code = coll_receive(comm, COLL_BCAST, root, &piece[own]);
    }
    code = code == MPI_SUCCESS ? bucket_allgather(comm, piece, root) : code;
    free(piece);
    return code;
}

int within_bcast(struct mpi_comm *comm, const struct coll_data *data, int root)
{
    size_t len = octets_of(data);
    unsigned char *staging = NULL;
    ptrdiff_t offset;
    int code = MPI_SUCCESS;

    if (slots_take(comm, len)) {
        return slots_bcast(comm, data, root);
    }
    if (comm->local->count < BCAST_PROCESSES || !within_is_long(comm, len)) {
        return within_tree_bcast(comm, data, root);
    }
    if (type_as_is(data->type, (size_t)data->count, TYPE_NATIVE, &offset)) {
        return bcast_octets(comm, (unsigned char *)data->buffer + offset, len, root);
    }
    staging = malloc(len);
    if (!staging) {
        return MPI_ERR_OTHER;
    }
    if (comm->rank == root) {
        code = type_pack(data->type, (size_t)data->count, TYPE_NATIVE, data->buffer, staging, len);
    }
    code = code == MPI_SUCCESS ? bcast_octets(comm, staging, len, root) : code;
    if (comm->rank != root && code == MPI_SUCCESS) {
        code = type_unpack(data->type, (size_t)data->count, TYPE_NATIVE, staging, len, data->buffer);
    }
    free(staging);
    return code;
}

/* Packs, or unpacks, blocks in the order of ranks from the root on. */
static int each_block(const struct mpi_comm *comm, const struct coll_blocks *blocks, unsigned char *all, size_t octets,
                      int root, bool pack)
{
    int size = comm->local->count, code = MPI_SUCCESS;

    for (int position = 0; position < size && code == MPI_SUCCESS; position++) {
        struct coll_data block = coll_block(blocks, (root + position) % size);
        unsigned char *at = all + (size_t)position * octets;

        code = pack ? type_pack(block.type, (size_t)block.count, TYPE_NATIVE, block.buffer, at, octets)
                    : type_unpack(block.type, (size_t)block.count, TYPE_NATIVE, at, octets, block.buffer);
    }
    return code;
}

int within_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root)
{
    int size = comm->local->count, position = (comm->rank - root + size) % size;
    size_t octets = octets_of(out);
    unsigned char *all;
    int code = MPI_ERR_OTHER;

    if (slots_take(comm, octets)) {
        return slots_gather(comm, out, in, root);
    }
    all = malloc(octets * (size_t)size + 1);
    if (all) {
        code =
            type_pack(out->type, (size_t)out->count, TYPE_NATIVE, out->buffer, all + (size_t)position * octets, octets);
    }
    code = code == MPI_SUCCESS ? within_tree_gather(comm, all, octets, root) : code;
    if (code == MPI_SUCCESS && comm->rank == root) {
        code = each_block(comm, in, all, octets, root, false);
    }
    free(all);
    return code;
}

int within_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root)
{
    int size = comm->local->count, position = (comm->rank - root + size) % size;
    size_t octets = octets_of(in);
    unsigned char *all;
    int code;

    if (slots_take_row(comm, octets)) {
        return slots_scatter(comm, out, in, root);
    }
    all = malloc(octets * (size_t)size + 1);
    code = all ? MPI_SUCCESS : MPI_ERR_OTHER;
    if (code == MPI_SUCCESS && comm->rank == root) {
        code = each_block(comm, out, all, octets, root, true);
    }
    code = code == MPI_SUCCESS ? within_tree_scatter(comm, all, octets, root) : code;
    if (code == MPI_SUCCESS) {
        code =
            type_unpack(in->type, (size_t)in->count, TYPE_NATIVE, all + (size_t)position * octets, octets, in->buffer);
    }
    free(all);
    return code;
}

int within_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in)
{
    int size = comm->local->count;
    struct coll_data *piece = calloc((size_t)size, sizeof(*piece));
    int code = MPI_ERR_OTHER;

    for (int rank = 0; piece && rank < size; rank++) {
        piece[rank] = coll_block(in, rank);
    }
    if (piece) {
        code = piece[comm->rank].buffer == out->buffer ? MPI_SUCCESS : coll_copy(out, &piece[comm->rank]);
    }
    code = code == MPI_SUCCESS ? bucket_allgather(comm, piece, 0) : code;
    free(piece);
    return code;
}

/* ---- reductions ------------------------------------------------------------------------------------------------- */

/* Elements cut into pieces by rank: as many as `counts` says, or equal shares. NULL: memory is used up. */
static struct coll_data *cut_elements(const struct mpi_comm *comm, const struct coll_data *data, const int *counts)
{
    int size = comm->local->count, next = 0;
    struct coll_data *piece = calloc((size_t)size, sizeof(*piece));

    for (int rank = 0; piece && rank < size; rank++) {
        int share = counts ? counts[rank] : data->count / size + (rank < data->count % size);
        ptrdiff_t at = (ptrdiff_t)next * type_extent(data->type);

        piece[rank] = (struct coll_data){(void *)((uintptr_t)data->buffer + (uintptr_t)at), share, data->type};
        next += share;
    }
    return piece;
}

/* Combines around the ring: this process's piece of the results, `out`, is its part of the result then, and the others
 * are used up. Operands and results are in memory apart. */
static int ring_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts)
{
    const struct coll_data operands = {(void *)(uintptr_t)reduction->in, reduction->count, reduction->type};
    const struct coll_data results = {reduction->out, reduction->count, reduction->type};
    struct coll_data *operand = cut_elements(comm, &operands, counts);
    struct coll_data *result = cut_elements(comm, &results, counts);
    int code = MPI_ERR_OTHER;

    if (operand && result) {
        code = bucket_reduce_scatter(comm, operand, result, reduction->op);
    }
    free(operand);
    free(result);
    return code;
}

/* Whether a reduction goes around the ring: the order of operands must not matter there. */
static bool is_for_ring(const struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    return op_commutes(reduction->op) &&
           within_is_long(comm, type_octets(reduction->type, (size_t)reduction->count, TYPE_NATIVE));
}

/* The pieces of a result, of which each process has its own, come to the root. */
static int collect(struct mpi_comm *comm, const struct coll_data *results, int root)
{
    struct coll_data *piece = cut_elements(comm, results, NULL);
    int code = piece ? MPI_SUCCESS : MPI_ERR_OTHER;

    if (piece && comm->rank != root && piece[comm->rank].count > 0) {
        code = coll_send(comm, COLL_REDUCE, root, &piece[comm->rank]);
    }
    for (int rank = 0; comm->rank == root && rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        if (rank != root && piece[rank].count > 0) {
            code = coll_receive(comm, COLL_REDUCE, rank, &piece[rank]);
        }
    }
    free(piece);
    return code;
}

/* Around the ring: who is not the root has room of its own for results, and where the results are to take the place of
 * the operands these make way. */
static int ring_reduce_to(struct mpi_comm *comm, const struct coll_reduction *reduction, int root)
{
    struct coll_reduction apart = *reduction;
    struct coll_room room = {.memory = NULL};
    int code;

    if (comm->rank != root || reduction->in == reduction->out) {
        if (!coll_room_new(&room, reduction->count, reduction->type)) {
            return MPI_ERR_OTHER;
        }
        if (comm->rank == root) {
            type_copy(reduction->type, (size_t)reduction->count, reduction->in, room.data.buffer);
            apart.in = room.data.buffer;
        } else {
            apart.out = room.data.buffer;
        }
    }
    code = ring_reduce(comm, &apart, NULL);
    if (code == MPI_SUCCESS) {
        const struct coll_data results = {apart.out, apart.count, apart.type};

        code = collect(comm, &results, root);
    }
    coll_room_free(&room);
    return code;
}

/* Along the tree to rank 0, and from there to the root: the result does not depend on who that is. */
static int tree_reduce(struct mpi_comm *comm, const struct coll_data *work, const struct coll_data *result,
                       const struct mpi_op *op, int root)
{
    struct coll_room room;
    int code = MPI_ERR_OTHER;

    if (coll_room_new(&room, work->count, work->type)) {
        code = within_tree_reduce(comm, work, &room.data, op);
    }
    coll_room_free(&room);
    if (code == MPI_SUCCESS && root != 0 && comm->rank == 0) {
        code = coll_send(comm, COLL_REDUCE, root, work);
    } else if (code == MPI_SUCCESS && root != 0 && comm->rank == root) {
        code = coll_receive(comm, COLL_REDUCE, 0, result);
    } else if (code == MPI_SUCCESS && comm->rank == root) {
        type_copy(work->type, (size_t)work->count, work->buffer, result->buffer);
    }
    return code;
}

int within_reduce(struct mpi_comm *comm, const struct coll_reduction *reduction, int root)
{
    const struct coll_data result = {reduction->out, reduction->count, reduction->type};
    struct coll_room work;
    int code;

    if (slots_take_reduction(comm, reduction)) {
        return slots_reduce(comm, reduction, root);
    }
    if (is_for_ring(comm, reduction)) {
        return ring_reduce_to(comm, reduction, root);
    }
    if (!coll_room_new(&work, reduction->count, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    type_copy(reduction->type, (size_t)reduction->count, reduction->in, work.data.buffer);
    code = tree_reduce(comm, &work.data, &result, reduction->op, root);
    coll_room_free(&work);
    return code;
}

/* Short operands of 2^n processes: in each round two that have the results of 1, 2, 4, .. neighbouring ranks trade
 * them, so that all have the same after n rounds. The lower ranks' is the first operand. */
static int swap_reduce(struct mpi_comm *comm, const struct coll_data *result, const struct mpi_op *op)
{
    struct coll_room other;
    int code = MPI_SUCCESS;

    if (!coll_room_new(&other, result->count, result->type)) {
        return MPI_ERR_OTHER;
    }
    for (int distance = 1; distance < comm->local->count && code == MPI_SUCCESS; distance *= 2) {
        int partner = comm->rank ^ distance;

        code = coll_trade(comm, COLL_REDUCE, partner, result, partner, &other.data);
        if (code == MPI_SUCCESS && partner < comm->rank) {
            op_apply(op, result->type, result->count, other.data.buffer, result->buffer);
        } else if (code == MPI_SUCCESS) {
            op_apply(op, result->type, result->count, result->buffer, other.data.buffer);
            type_copy(result->type, (size_t)result->count, other.data.buffer, result->buffer);
        }
    }
    coll_room_free(&other);
    return code;
}

static bool is_for_swap(const struct mpi_comm *comm, const struct coll_data *result)
{
    int size = comm->local->count;

    return (size & (size - 1)) == 0 && octets_of(result) < TREE_BLOCK_OCTETS;
}

/* Around the ring twice: the pieces are combined, and then brought to all. */
static int ring_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    const struct coll_data result = {reduction->out, reduction->count, reduction->type};
    struct coll_reduction apart = *reduction;
    struct coll_room room = {.memory = NULL};
    struct coll_data *piece;
    int code;

    if (reduction->in == reduction->out) {
        if (!coll_room_new(&room, reduction->count, reduction->type)) {
            return MPI_ERR_OTHER;
        }
        type_copy(reduction->type, (size_t)reduction->count, reduction->in, room.data.buffer);
        apart.in = room.data.buffer;
    }
    code = ring_reduce(comm, &apart, NULL);
    coll_room_free(&room);
    piece = cut_elements(comm, &result, NULL);
    if (code == MPI_SUCCESS) {
        code = piece ? bucket_allgather(comm, piece, 0) : MPI_ERR_OTHER;
    }
    free(piece);
    return code;
}

int within_allreduce(struct mpi_comm *comm, const struct coll_reduction *reduction)
{
    const struct coll_data result = {reduction->out, reduction->count, reduction->type};
    int code;

    if (slots_take_reduction(comm, reduction)) {
        return slots_allreduce(comm, reduction);
    }
    if (is_for_ring(comm, reduction)) {
        return ring_allreduce(comm, reduction);
    }
    if (!is_for_swap(comm, &result)) {
        code = within_reduce(comm, reduction, 0);
        return code == MPI_SUCCESS ? within_bcast(comm, &result, 0) : code;
    }
    if (reduction->in != reduction->out) {
        type_copy(reduction->type, (size_t)reduction->count, reduction->in, reduction->out);
    }
    return swap_reduce(comm, &result, reduction->op);
}

int within_reduce_scatter(struct mpi_comm *comm, const struct coll_reduction *reduction, const int *counts)
{
    struct coll_reduction apart = *reduction;
    struct coll_data *piece;
    struct coll_room room;
    int code;

    if (!coll_room_new(&room, reduction->count, reduction->type)) {
        return MPI_ERR_OTHER;
    }
    apart.out = room.data.buffer;
    code = ring_reduce(comm, &apart, counts);
    piece = cut_elements(comm, &room.data, counts);
    if (code == MPI_SUCCESS && piece) {
        type_copy(reduction->type, (size_t)counts[comm->rank], piece[comm->rank].buffer, reduction->out);
    }
    free(piece);
    coll_room_free(&room);
    return piece ? code : MPI_ERR_OTHER;
}

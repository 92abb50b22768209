/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The collective operations that only move data: MPI_Gather(v), MPI_Scatter(v), MPI_Allgather(v), MPI_Alltoall(v).
 * Chapters 4.12 to 4.15, 4.19, 4.20, 4.22 and 4.23 of IMPI, of whose patterns nothing has come down to us: every block
 * goes straight from the process that has it to the one that wants it, whatever its length, so that the crossover size
 * changes nothing.
 */
//= IMPI-236
#include <stdlib.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/collectives/slots.h"
#include "ref-impl/mpi/collectives/within.h"

int coll_gather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in, int root)
{
    enum coll_tag tag = in->vector ? COLL_GATHERV : COLL_GATHER; //= IMPI-239
    int code = MPI_SUCCESS;

    if (within_is_short(comm, out, in->vector)) {
        return within_gather(comm, out, in, root);
    }
    if (comm->rank != root) {
        return coll_send(comm, tag, root, out);
    }
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        struct coll_data block = coll_block(in, rank);

        code = rank == root ? coll_copy(out, &block) : coll_receive(comm, tag, rank, &block); //= IMPI-231
    }
    return code;
}

int coll_scatter(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_data *in, int root)
{
    enum coll_tag tag = out->vector ? COLL_SCATTERV : COLL_SCATTER;
    int code = MPI_SUCCESS;

    if (within_is_short(comm, in, out->vector)) {
        return within_scatter(comm, out, in, root);
    }
    if (comm->rank != root) {
        return coll_receive(comm, tag, root, in);
    }
    for (int rank = 0; rank < comm->local->count && code == MPI_SUCCESS; rank++) {
        struct coll_data block = coll_block(out, rank);

        code = rank == root ? coll_copy(&block, in) : coll_send(comm, tag, rank, &block); //= IMPI-232
    }
    return code;
}

/* Sends to all what rank 0 has gathered: blocks wherever they are, as one element of a type that knows where. */
static int bcast_blocks(struct mpi_comm *comm, const struct coll_blocks *blocks)
{
    struct coll_data all = {blocks->buffer, 1, NULL};
    int *counts = malloc((size_t)comm->local->count * sizeof(*counts));
    int *displs = malloc((size_t)comm->local->count * sizeof(*displs));
    int code = MPI_ERR_OTHER;

    for (int rank = 0; counts && displs && rank < comm->local->count; rank++) {
        counts[rank] = blocks->vector ? blocks->counts[rank] : blocks->count;
        displs[rank] = blocks->vector ? blocks->displs[rank] : blocks->count * rank;
    }
    if (counts && displs) {
        all.type = type_indexed(comm->local->count, counts, displs, blocks->type);
    }
    if (all.type) {
        code = coll_bcast(comm, &all, 0);
        type_release(all.type);
    }
    free(counts);
    free(displs);
    return code;
}

/* Octets of all blocks together. */
static size_t whole_octets(const struct mpi_comm *comm, const struct coll_blocks *blocks)
{
    size_t whole = 0;

    for (int rank = 0; rank < comm->local->count; rank++) {
        struct coll_data block = coll_block(blocks, rank);

        whole += type_octets(block.type, (size_t)block.count, TYPE_NATIVE);
    }
    return whole;
}

int coll_allgather(struct mpi_comm *comm, const struct coll_data *out, const struct coll_blocks *in)
{
    int code;

    if (within_one(comm) && !in->vector && slots_take(comm, type_octets(out->type, (size_t)out->count, TYPE_NATIVE))) {
        return slots_allgather(comm, out, in);
    }
    if (within_one(comm) && within_is_long(comm, whole_octets(comm, in))) {
        return within_allgather(comm, out, in);
    }
    code = coll_gather(comm, out, in, 0); //= IMPI-234

    return code == MPI_SUCCESS ? bcast_blocks(comm, in) : code;
}

int coll_alltoall(struct mpi_comm *comm, const struct coll_blocks *out, const struct coll_blocks *in)
{
    if (within_one(comm) && !out->vector &&
        slots_take_row(comm, type_octets(out->type, (size_t)out->count, TYPE_NATIVE))) {
        return slots_alltoall(comm, out, in);
    }
    enum coll_tag tag = out->vector ? COLL_ALLTOALLV : COLL_ALLTOALL;
    struct coll_data sent = coll_block(out, comm->rank), received = coll_block(in, comm->rank);
    int size = comm->local->count;
    int code = coll_copy(&sent, &received);

    for (int step = 1; step < size && code == MPI_SUCCESS; step++) {
        int to = (comm->rank + step) % size, from = (comm->rank - step + size) % size;

        sent = coll_block(out, to);
        received = coll_block(in, from);
        code = coll_trade(comm, tag, to, &sent, from, &received); //= IMPI-235
    }
    return code;
}

/* Exchanges the block for a peer with the one that comes from it, which takes its place. */
static int block_exchange(struct mpi_comm *comm, enum coll_tag tag, int peer, const struct coll_data *block)
{
    struct coll_room room;
    int code;

    if (!coll_room_new(&room, block->count, block->type)) {
        return MPI_ERR_OTHER;
    }
    code = coll_copy(block, &room.data);
    if (code == MPI_SUCCESS) {
        code = coll_trade(comm, tag, peer, &room.data, peer, block);
    }
    coll_room_free(&room);
    return code;
}

/* In each step the processes form pairs, so that a block comes where the one has been copied that leaves. */
int coll_alltoall_in_place(struct mpi_comm *comm, const struct coll_blocks *blocks)
{
    enum coll_tag tag = blocks->vector ? COLL_ALLTOALLV : COLL_ALLTOALL;
    int size = comm->local->count, code = MPI_SUCCESS;

    for (int step = 0; step < size && code == MPI_SUCCESS; step++) {
        int peer = (step - comm->rank + size) % size;
        struct coll_data block = coll_block(blocks, peer);

        if (peer != comm->rank) {
            code = block_exchange(comm, tag, peer, &block); //= IMPI-235
        }
    }
    return code;
}

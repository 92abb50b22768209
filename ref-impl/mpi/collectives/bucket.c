/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The ring: see collectives/bucket.h. Steps of an allgather of four, a letter for each piece:
 *
 *      member    0       1       2       3
 *                a . . . . b . . . . c . . . . d
 *      step 1    a . . d a b . . . b c . . . c d
 *      step 2    a . c d a b . d a b c . . b c d
 *      step 3    a b c d a b c d a b c d a b c d
 */
#include "ref-impl/mpi/collectives/bucket.h"

#include <stdlib.h>

#include "ref-impl/mpi/collectives/parts.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/messages/p2p_request.h"

/* A process in the ring: its neighbours, and the receives that it has posted, one for each step. */
struct ring {
    struct mpi_comm *comm;
    int size, before, behind; /* ranks */
    int posted;
    struct request **receive; /* [size - 1] */
};

static struct coll_data nothing(void)
{
    return (struct coll_data){NULL, 0, type_find(MPI_BYTE)};
}

static struct p2p_message piece_message(const struct ring *ring, int peer, const struct coll_data *piece)
{
    return (struct p2p_message){
        .comm = ring->comm,
        .collective = true,
        .peer = peer,
        .tag = (int)COLL_PIECE,
        .buffer = piece->buffer,
        .count = piece->count,
        .type = piece->type,
    };
}

static bool ring_open(struct ring *ring, struct mpi_comm *comm)
{
    int size = comm->local->count;

    *ring = (struct ring){comm, size, (comm->rank + size - 1) % size, (comm->rank + 1) % size, 0, NULL};
    p2p_await_turn(comm);
    ring->receive = calloc((size_t)size, sizeof(struct request *));
    return ring->receive;
}

static int post(struct ring *ring, const struct coll_data *piece)
{
    struct p2p_message message = piece_message(ring, ring->before, piece);
    int code = p2p_start_receive(&message, &ring->receive[ring->posted]);

    ring->posted += code == MPI_SUCCESS;
    return code;
}

/* Tells the one before that it may send, and hears the same from the one behind. */
//= PUMA-094
//= PUMA-095
//= PUMA-099
//= PUMA-088
static int get_ready(struct ring *ring)
{
    const struct coll_data data = nothing();

    return coll_trade(ring->comm, COLL_READY, ring->before, &data, ring->behind, &data);
}

//= PUMA-096
static int send_piece(struct ring *ring, const struct coll_data *piece, struct request **sent)
{
    struct p2p_message message = piece_message(ring, ring->behind, piece);

    return p2p_start_send(&message, P2P_STANDARD, sent);
}

/* The step's piece is there, and the last one that was sent has left. */
//= PUMA-097
static int await_step(struct ring *ring, int step, struct request *sent)
{
    int code = p2p_wait(sent, NULL);
    int received = p2p_wait(ring->receive[step], NULL);

    ring->receive[step] = NULL;
    return code == MPI_SUCCESS ? received : code;
}

/* Ends a ring, also one that has failed, whose receives are given up. */
static void ring_close(struct ring *ring)
{
    for (int step = 0; step < ring->posted; step++) {
        if (ring->receive[step]) {
            p2p_cancel(ring->receive[step]);
            (void)p2p_wait(ring->receive[step], NULL);
        }
    }
    free(ring->receive);
}

//= PUMA-091
//= PUMA-098
//= PUMA-100
int bucket_allgather(struct mpi_comm *comm, const struct coll_data *piece, int first)
{
    struct ring ring;
    int size = comm->local->count, own = (comm->rank - first + size) % size;
    int code = MPI_SUCCESS;

    if (!ring_open(&ring, comm)) {
        return MPI_ERR_OTHER;
    }
    for (int step = 0; step < size - 1 && code == MPI_SUCCESS; step++) {
        code = post(&ring, &piece[(own - 1 - step + 2 * size) % size]);
    }
    code = code == MPI_SUCCESS ? get_ready(&ring) : code;
    for (int step = 0; step < size - 1 && code == MPI_SUCCESS; step++) {
        struct request *sent;

        code = send_piece(&ring, &piece[(own - step + size) % size], &sent);
        code = code == MPI_SUCCESS ? await_step(&ring, step, sent) : code;
    }
    ring_close(&ring);
    return code;
}

/* A piece comes into the results, is combined with this process's operands there, and goes on from there. */
//= PUMA-093
int bucket_reduce_scatter(struct mpi_comm *comm, const struct coll_data *operands, const struct coll_data *results,
                          const struct mpi_op *op)
{
    struct ring ring;
    int size = comm->local->count, own = comm->rank;
    int code = MPI_SUCCESS;

    if (!ring_open(&ring, comm)) {
        return MPI_ERR_OTHER;
    }
    for (int step = 0; step < size - 1 && code == MPI_SUCCESS; step++) {
        code = post(&ring, &results[(own - 2 - step + 2 * size) % size]);
    }
    code = code == MPI_SUCCESS ? get_ready(&ring) : code;
    for (int step = 0; step < size - 1 && code == MPI_SUCCESS; step++) {
        int goes = (own - 1 - step + size) % size, comes = (own - 2 - step + 2 * size) % size;
        const struct coll_data *operand = &operands[comes];
        struct request *sent;

        code = send_piece(&ring, step == 0 ? &operands[goes] : &results[goes], &sent);
        code = code == MPI_SUCCESS ? await_step(&ring, step, sent) : code;
        if (code == MPI_SUCCESS && operand->count > 0) {
            op_apply(op, operand->type, operand->count, operand->buffer, results[comes].buffer);
        }
    }
    ring_close(&ring);
    return code;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Two groups make communicators from the one between them, while receives for any sender and any tag wait there, and
 * messages that nobody has asked for yet: neither takes what belongs to the other.
 */
#include <mpi.h>
#include <stdio.h>

/* Tags that the library itself may use, and one that it does not. */
enum { TAGS = 4 };
static const int tags[TAGS] = {210, 220, 230, 7};
static int wrong;

static void expect(int is, int should)
{
    wrong += is != should;
}

/* Makes something of the intercommunicator, which is freed again. */
static void make(MPI_Comm inter, int step, int side)
{
    MPI_Comm made;
    int both, mine, theirs;

    if (step % 2 == 0) {
        MPI_Comm_dup(inter, &made);
        MPI_Comm_remote_size(made, &both);
        MPI_Comm_remote_size(inter, &theirs);
        expect(both, theirs);
    } else {
        MPI_Intercomm_merge(inter, side, &made);
        MPI_Comm_size(made, &both);
        MPI_Comm_size(inter, &mine);
        MPI_Comm_remote_size(inter, &theirs);
        expect(both, mine + theirs);
    }
    MPI_Comm_free(&made);
}

/* A receive for anything waits meanwhile; what it gets is sent afterwards. */
static void with_receives(MPI_Comm inter, int step, int side, int rank, int peers)
{
    MPI_Request request;
    MPI_Status status;
    long long came[2] = {-1, -1}, sent[2] = {rank, step};

    MPI_Irecv(came, 2, MPI_LONG_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &request);
    make(inter, step, side);
    /* As many receives as sends: ranks that have no partner in the other group ask themselves off. */
    if (rank < peers) {
        MPI_Send(sent, 2, MPI_LONG_LONG, rank, tags[step % TAGS], inter);
        MPI_Wait(&request, &status);
        expect(status.MPI_SOURCE, rank);
        expect(status.MPI_TAG, tags[step % TAGS]);
        expect((int)came[0], rank);
        expect((int)came[1], step);
    } else {
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Messages that look like the library's wait meanwhile. */
static void with_messages(MPI_Comm inter, int step, int side, int rank, int peers)
{
    MPI_Request requests[TAGS];
    long long came[2], sent[2] = {1000 + rank, step};

    for (int i = 0; i < TAGS && rank < peers; i++) {
        MPI_Isend(sent, 1 + i % 2, MPI_LONG_LONG, rank, tags[i], inter, &requests[i]);
    }
    make(inter, step, side);
    for (int i = TAGS - 1; i >= 0 && rank < peers; i--) {
        came[0] = came[1] = -1;
        MPI_Recv(came, 2, MPI_LONG_LONG, rank, tags[i], inter, MPI_STATUS_IGNORE);
        expect((int)came[0], 1000 + rank);
        expect((int)came[1], i % 2 ? step : -1);
    }
    for (int i = 0; i < TAGS && rank < peers; i++) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm half, inter;
    int world, size, side, rank, peers, all;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int cut = 0; cut < 2; cut++) { /* every second process, or the first half */
        side = cut == 0 ? world % 2 : world >= (size + 1) / 2;
        MPI_Comm_split(MPI_COMM_WORLD, side, world, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : cut == 0 ? 1 : (size + 1) / 2, 1, &inter);
        MPI_Comm_rank(inter, &rank);
        MPI_Comm_remote_size(inter, &peers);
        for (int step = 0; step < 2 * TAGS; step++) {
            with_receives(inter, step, side, rank, peers);
            with_messages(inter, step, side, rank, peers);
        }
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world == 0) {
        printf("agreements beside messages: %d wrong\n", all);
    }
    MPI_Finalize();
    return 0;
}

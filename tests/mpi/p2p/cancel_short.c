/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling short messages, between rank 0 and the last rank of one client. They have left, and lie in a buffer of the
 * receiver, when they are cancelled. MPI_Wait returns whatever the other program does: it waits outside MPI, for the
 * end of a FIFO, whose name is the argument.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/mpi/p2p/p2p.h"

enum { LEN = 20, TAG = 7, OTHER = 9, NEXT = 8, MANY = 1000, SENT = 300, FOLLOWED = 9000, OFTEN = 100 };

static const char *fifo;

static int wait_cancelled(MPI_Request *request)
{
    MPI_Status status;
    int cancelled;

    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    return cancelled;
}

static int cancel(MPI_Request *request)
{
    MPI_Cancel(request);
    return wait_cancelled(request);
}

static void tell(int to)
{
    MPI_Send(NULL, 0, MPI_BYTE, to, NEXT, MPI_COMM_WORLD);
}

static void hear(int from)
{
    MPI_Recv(NULL, 0, MPI_BYTE, from, NEXT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Waits until the other rank has opened the FIFO too; without MPI. */
static void meet(int writes)
{
    int fd = open(fifo, writes ? O_WRONLY : O_RDONLY);

    MUST(fd >= 0, "cannot open %s", fifo);
    close(fd);
}

static int receive(int from, int tag)
{
    int value;

    MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

/* While the other program computes: every second one is cancelled, in each order, and one twice. */
static void one_by_one(int peer)
{
    MPI_Request request[MANY];
    int value[MANY];

    for (int i = 0; i < MANY; i++) {
        value[i] = i;
        if (i % 4 == 1) {
            MPI_Send(&value[i], 1, MPI_INT, peer, i % 3 ? TAG : OTHER, MPI_COMM_WORLD);
            request[i] = MPI_REQUEST_NULL;
            continue;
        }
        MPI_Isend(&value[i], 1, MPI_INT, peer, i % 3 ? TAG : OTHER, MPI_COMM_WORLD, &request[i]);
    }
    for (int i = MANY - 2; i >= 0; i -= 4) {
        MUST(cancel(&request[i]), "message %d that nothing met is not cancelled", i);
    }
    for (int i = 0; i < MANY; i += 4) {
        MPI_Cancel(&request[i]);
        MPI_Cancel(&request[i]);
    }
    for (int i = 0; i < MANY; i += 4) {
        MUST(wait_cancelled(&request[i]), "message %d of those that were cancelled together is not", i);
    }
    meet(1);
    for (int i = 1; i < MANY; i += 2) {
        MUST(!wait_cancelled(&request[i]), "message %d is cancelled that nobody cancelled", i);
    }
    hear(peer);
}

static void one_by_one_other(int peer)
{
    meet(0);
    for (int i = 1; i < MANY; i += 2) {
        MUST(receive(peer, i % 3 ? TAG : OTHER) == i, "message %d is not what comes next", i);
    }
    tell(peer);
}

/* One that was received stays sent, though a later one of the same number and tag waits; so does one that so many have
 * followed that the number does not tell it from others. */
static void too_late(int peer)
{
    MPI_Request request[FOLLOWED];
    int value[FOLLOWED], given_up = 0;

    for (int i = 0; i < FOLLOWED; i++) {
        value[i] = i;
    }
    for (int i = 0; i < SENT; i++) {
        MPI_Isend(&value[i], 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &request[i]);
    }
    tell(peer);
    hear(peer); /* it has received the first 200 */
    for (int i = 0; i < SENT; i++) {
        int cancelled = cancel(&request[i]);

        MUST(!cancelled || i >= 200, "message %d was received and is cancelled", i);
        given_up += cancelled;
    }
    MUST(given_up == 100, "of 100 messages that wait %d are cancelled", given_up);
    tell(peer);
    hear(peer);
    MPI_Isend(&value[0], 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &request[0]);
    for (int i = 1; i < FOLLOWED; i++) {
        MPI_Isend(&value[i], 1, MPI_INT, peer, OTHER, MPI_COMM_WORLD, &request[i]);
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    MUST(!cancel(&request[0]), "a message is cancelled that %d followed", FOLLOWED - 1);
    tell(peer);
    hear(peer);
}

static void too_late_other(int peer)
{
    int flag;

    hear(peer);
    for (int i = 0; i < 200; i++) {
        MUST(receive(peer, TAG) == i, "message %d is not what comes next", i);
    }
    tell(peer);
    hear(peer);
    MPI_Iprobe(peer, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MUST(!flag, "a message is there that was cancelled");
    tell(peer);
    hear(peer);
    for (int i = 1; i < FOLLOWED; i++) {
        MUST(receive(peer, OTHER) == i, "message %d is not what comes next", i);
    }
    MUST(receive(peer, TAG) == 0, "the message that stays sent has not come");
    tell(peer);
}

/* A persistent request goes again; one is given up before its end is known; a finished one stays as it is. */
static void kinds(int peer)
{
    MPI_Request request, others[3];
    int value = 5, outcount, flag;

    MPI_Send_init(&value, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MUST(cancel(&request), "a persistent send that nothing met is not cancelled");
    value = 6;
    MPI_Start(&request);
    tell(peer);
    hear(peer);
    MUST(!cancel(&request), "a persistent send that was received is cancelled");
    MPI_Request_free(&request);
    MPI_Isend(&value, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    for (int i = 0; i < 3; i++) {
        MPI_Isend(&value, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &others[i]);
        MPI_Cancel(&others[i]);
    }
    MPI_Waitsome(3, others, &outcount, (int[3]){0}, MPI_STATUSES_IGNORE);
    MUST(outcount > 0, "none is done");
    MPI_Waitall(3, others, MPI_STATUSES_IGNORE);
    MPI_Testall(3, others, &flag, MPI_STATUSES_IGNORE);
    MUST(flag, "not all are done");
    tell(peer);
    hear(peer);
}

static void kinds_other(int peer)
{
    int flag;

    hear(peer);
    MUST(receive(peer, TAG) == 6, "the message that was cancelled has come");
    tell(peer);
    hear(peer);
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MUST(!flag, "a message is there that was cancelled");
    tell(peer);
}

/* While the other waits for something else, in a receive. */
static void often(int peer)
{
    char octets[LEN] = {0};

    for (int i = 0; i < OFTEN; i++) {
        MPI_Request request;

        MPI_Isend(octets, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
        MUST(cancel(&request), "message %d to one who waits for something else is not cancelled", i);
    }
    tell(peer);
}

//= PUMA-076
int main(int argc, char **argv)
{
    int last;

    p2p_begin(&argc, &argv);
    MUST(argc == 2 && p2p_size > 1, "usage: p2p_cancel_short FIFO, with two ranks or more");
    fifo = argv[1];
    last = p2p_size - 1;
    if (p2p_rank == 0) {
        one_by_one(last);
        too_late(last);
        kinds(last);
        often(last);
    } else if (p2p_rank == last) {
        one_by_one_other(0);
        too_late_other(0);
        kinds_other(0);
        hear(0);
    }
    return p2p_end();
}

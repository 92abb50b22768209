/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A large message that nobody has asked for is stopped on its way to rank 0, with its sender, rank 1. A receive that
 * rank 0 posts meanwhile must wait to see whether it is to have that message; but rank 2, which cancels messages to
 * rank 0, must not wait for that.
 */
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "tests/mpi/p2p/p2p.h"

enum { LARGE = 1 << 29, LONG = 100000, ROOM = 1000, TELL = 1, LARGE_TAG = 2, CANCEL = 3 };

#define UNDER_WAY 0.02  /* seconds until the message has begun to arrive */
#define BUSY      1.0   /* for so long messages are cancelled */
#define DEADLINE  100.0 /* for one of them */

/* Returns when a process has been stopped. */
static void await_stop(int pid)
{
    char path[64], state = 'R';

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    while (state != 'T') {
        FILE *file = fopen(path, "r");

        MUST(file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1, "cannot see process %d", pid);
        fclose(file);
        sched_yield();
    }
}

/* Rank 1: sends, and stops until rank 2 lets it go on. */
static void send_large(void)
{
    unsigned char *octets = calloc(1, LARGE);
    int pid = getpid();
    double from;
    MPI_Request request;

    MUST(octets, "no memory");
    MPI_Send(&pid, 1, MPI_INT, 0, TELL, MPI_COMM_WORLD);
    MPI_Isend(octets, LARGE, MPI_BYTE, 0, LARGE_TAG, MPI_COMM_WORLD, &request);
    from = MPI_Wtime();
    while (MPI_Wtime() < from + UNDER_WAY) {
        sched_yield();
    }
    raise(SIGSTOP);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(octets);
}

/* Rank 0: sees rank 1 stop, lets rank 2 begin, posts a receive for what comes last, and receives the large message. */
static void receive_last(void)
{
    unsigned char *octets = calloc(1, LARGE);
    int pid, last[ROOM] = {0}; /* room for a long message: the match list */
    MPI_Request request;

    MUST(octets, "no memory");
    MPI_Recv(&pid, 1, MPI_INT, 1, TELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    await_stop(pid);
    MPI_Send(&pid, 1, MPI_INT, 2, TELL, MPI_COMM_WORLD);
    MPI_Irecv(last, ROOM, MPI_INT, 2, TELL, MPI_COMM_WORLD, &request);
    MPI_Recv(octets, LARGE, MPI_BYTE, 1, LARGE_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MUST(last[0] == 7, "received %d", last[0]);
    free(octets);
}

/* Sends a message that nobody receives, and cancels it in time. */
static void cancel_one(void)
{
    static unsigned char octets[LONG];
    double from = MPI_Wtime();
    MPI_Request request;
    MPI_Status status;
    int done = 0, cancelled;

    MPI_Isend(octets, LONG, MPI_BYTE, 0, CANCEL, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    while (!done) {
        MPI_Test(&request, &done, &status);
        MUST(MPI_Wtime() < from + DEADLINE, "a message is not cancelled within %.0f seconds", DEADLINE);
    }
    MPI_Test_cancelled(&status, &cancelled);
    MUST(cancelled, "nobody has received it");
}

/* Rank 2: cancels messages while rank 0 posts its receive. */
static void cancel_many(void)
{
    int pid, last = 7;
    double from;

    MPI_Recv(&pid, 1, MPI_INT, 0, TELL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    from = MPI_Wtime();
    while (MPI_Wtime() < from + BUSY) {
        cancel_one();
    }
    kill(pid, SIGCONT);
    MPI_Send(&last, 1, MPI_INT, 0, TELL, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static void (*const parts[])(void) = {receive_last, send_large, cancel_many};

    p2p_begin(&argc, &argv);
    MUST(p2p_size == 3, "three ranks are needed");
    parts[p2p_rank]();
    return p2p_end();
}

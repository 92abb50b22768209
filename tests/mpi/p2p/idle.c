/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waiting costs next to nothing, also where more was asked of the library than it has room for and it must look for
 * completions and for arrivals at once: a receive that has no place in the match list, and a message that is probed for
 * while sends wait for their turn. Rank 1 keeps rank 0 waiting for a while; rank 0 looks at what it has used.
 */
#include <poll.h>
#include <sys/resource.h>

#include "tests/mpi/p2p/p2p.h"

enum { POSTED = 17000, ROOM = 512, HELD_BACK = 200, LATE = 5, DAWDLE_MS = 500 };

static MPI_Request requests[POSTED];
static int numbers[POSTED][ROOM]; /* for long messages; those that come are short */

/* Processor time of this process, of all its threads. */
static double used(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Keeps the other one waiting, and leaves it all processors. */
static void dawdle(void)
{
    (void)poll(NULL, 0, DAWDLE_MS);
}

static void judge(const char *what, double seconds, double processor)
{
    MUST(processor < seconds / 4, "%s: of %.3f seconds it was at work for %.3f", what, seconds, processor);
}

/* The last receives have no place in the match list while another one is waited for. */
static void wait_beside_listed(void)
{
    MPI_Status status;
    double begin, before;

    if (p2p_rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        dawdle();
        for (int i = 0; i < POSTED; i++) {
            MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
            if (i == 0) { /* what the others cost is not the price of waiting for this one */
                MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
            }
        }
        return;
    }
    for (int i = 0; i < POSTED; i++) {
        MPI_Irecv(numbers[i], ROOM, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    begin = MPI_Wtime();
    before = used();
    MPI_Wait(&requests[0], &status);
    judge("waiting while receives have no place", MPI_Wtime() - begin, used() - before);
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (int i = POSTED - 1; i > 0; i--) {
        MPI_Wait(&requests[i], &status);
        MUST(numbers[i][0] == i, "%d came in the place of %d", numbers[i][0], i);
    }
}

/* More synchronous sends than may be under way wait for rank 1, which is not there yet. */
static void probe_while_sends_wait(void)
{
    MPI_Status status;
    double begin, before;

    if (p2p_rank == 1) {
        dawdle();
        MPI_Send(NULL, 0, MPI_INT, 0, LATE, MPI_COMM_WORLD);
        for (int i = 0; i < HELD_BACK; i++) {
            MPI_Recv(numbers[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &status);
        }
        return;
    }
    for (int i = 0; i < HELD_BACK; i++) {
        MPI_Issend(numbers[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    begin = MPI_Wtime();
    before = used();
    MPI_Probe(1, LATE, MPI_COMM_WORLD, &status);
    judge("probing while sends wait", MPI_Wtime() - begin, used() - before);
    MPI_Recv(NULL, 0, MPI_INT, 1, LATE, MPI_COMM_WORLD, &status);
    for (int i = 0; i < HELD_BACK; i++) {
        MPI_Wait(&requests[i], &status);
    }
}

int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    wait_beside_listed();
    MPI_Barrier(MPI_COMM_WORLD);
    probe_while_sends_wait();
    return p2p_end();
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Senders that run ahead of a receiver, in a job of many processes, each of which is lent little: nobody waits for a
 * receiver that calls nothing, what has been copied can still be cancelled, and whatever its receiver wants first comes
 * first, however much was sent before it.
 *
 *   p2p_ahead PATH      with a letter and a rank behind it: by which each sender tells, without MPI, that all of its
 *                       messages have left
 */
#include "tests/mpi/p2p/p2p.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 1, LAST = 2, DEADLINE_S = 600 };
enum { MESSAGES = 9000, SHORT = 40, LONG = 3000, LONGS = 1000, GIVEN_UP = 300 };

static const char *flags;
static unsigned char octets[LONG];

static const char *flag(char part, int rank)
{
    static char path[4096];

    (void)snprintf(path, sizeof(path), "%s%c%d", flags, part, rank);
    return path;
}

static void raise_flag(char part)
{
    int fd = open(flag(part, p2p_rank), O_CREAT | O_WRONLY, 0600);

    MUST(fd >= 0, "%s cannot be made", flag(part, p2p_rank));
    close(fd);
}

/* Until that flag is there; without MPI. */
static void compute_until(const char *path)
{
    time_t until = time(NULL) + DEADLINE_S;

    while (access(path, F_OK) != 0) {
        MUST(time(NULL) < until, "%s is not there after %d s", path, DEADLINE_S);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

/* Until all senders have raised their flags. */
static void compute(char part)
{
    for (int rank = 1; rank < p2p_size; rank++) {
        compute_until(flag(part, rank));
        unlink(flag(part, rank));
    }
}

static uint32_t seed(int rank, int number)
{
    return (uint32_t)(rank * MESSAGES + number);
}

static void must_be(int length, int rank, int number)
{
    MUST(p2p_differs(octets, (size_t)length, seed(rank, number)) == (size_t)length,
         "the octets of message %d of rank %d are others", number, rank);
}

/* More messages than a sender has credits, from one buffer. The last one, of another tag, is received first. */
static void nobody_waits(void)
{
    if (p2p_rank > 0) {
        for (int i = 0; i < MESSAGES; i++) {
            p2p_fill(octets, SHORT, seed(p2p_rank, i));
            MPI_Send(octets, i % SHORT, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        }
        MPI_Send(NULL, 0, MPI_BYTE, 0, LAST, MPI_COMM_WORLD);
        raise_flag('a');
        compute_until(flag('c', 0)); /* what has not left yet does without this program */
        return;
    }
    compute('a');
    for (int rank = 1; rank < p2p_size; rank++) {
        MPI_Recv(NULL, 0, MPI_BYTE, rank, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < MESSAGES; i++) {
        for (int rank = 1; rank < p2p_size; rank++) {
            MPI_Status status;
            int count;

            MPI_Recv(octets, SHORT, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &count);
            MUST(count == i % SHORT, "message %d has %d octets", i, count);
            must_be(count, rank, i);
        }
    }
    raise_flag('c');
}

/* Of those that rank 1 cannot send yet every third is cancelled, some twice, some without waiting. */
static void given_up(void)
{
    static MPI_Request requests[MESSAGES];
    static int numbers[MESSAGES];
    int cancelled;

    if (p2p_rank == 1) {
        for (int i = 0; i < MESSAGES; i++) {
            numbers[i] = i;
            MPI_Isend(&numbers[i], 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &requests[i]);
        }
        for (int i = MESSAGES - GIVEN_UP; i < MESSAGES; i += 3) {
            MPI_Cancel(&requests[i]);
            if (i % 2 == 0) {
                MPI_Cancel(&requests[i]);
            }
        }
        for (int i = MESSAGES - GIVEN_UP; i < MESSAGES; i++) {
            MPI_Status status;

            MPI_Wait(&requests[i], &status);
            MPI_Test_cancelled(&status, &cancelled);
            MUST(cancelled == ((i - (MESSAGES - GIVEN_UP)) % 3 == 0), "message %d: cancelled is %d", i, cancelled);
        }
        MPI_Waitall(MESSAGES - GIVEN_UP, requests, MPI_STATUSES_IGNORE);
        MPI_Isend(&numbers[0], 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Cancel(&requests[0]);
        MPI_Request_free(&requests[0]);
    }
    if (p2p_rank > 0) {
        raise_flag('b');
        return;
    }
    compute('b');
    for (int i = 0; i < MESSAGES; i++) {
        if (i >= MESSAGES - GIVEN_UP && (i - (MESSAGES - GIVEN_UP)) % 3 == 0) {
            continue;
        }
        MPI_Recv(&numbers[0], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MUST(numbers[0] == i, "message %d is %d", i, numbers[0]);
    }
}

/* Long and short messages that are all under way at once, and received from the last one to the first. */
static void last_first(int count, int length)
{
    static MPI_Request requests[MESSAGES];
    unsigned char *all = calloc((size_t)count, (size_t)length);

    MUST(all, "no memory");
    if (p2p_rank == 1) {
        for (int i = 0; i < count; i++) {
            p2p_fill(all + i * length, (size_t)length, seed(1, i));
            MPI_Isend(all + i * length, length, MPI_BYTE, 0, i, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    } else if (p2p_rank == 0) {
        for (int i = count; i-- > 0;) {
            MPI_Recv(octets, length, MPI_BYTE, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            must_be(length, 1, i);
        }
    }
    free(all);
}

//= PUMA-048
//= PUMA-077
//= PUMA-165
int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    MUST(argc == 2, "one argument is needed");
    flags = argv[1];
    nobody_waits();
    given_up();
    last_first(LONGS, LONG);
    last_first(MESSAGES, SHORT);
    return p2p_end();
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Short messages that nobody has asked for, a hundred thousand of them: the sender does not wait for a receiver that
 * computes and calls nothing, and the receiver finds each of them, oldest first, in whatever order it wants them.
 *
 *   p2p_unmet FILE      by which rank 0 tells, without MPI, that all have left
 */
#include "tests/mpi/p2p/p2p.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { MESSAGES = 100000, MORE = 140000, TAGS = 500, LONGEST = 200, DEADLINE_S = 600 };

static unsigned char octets[LONGEST];

static int length_of(int number)
{
    return (int)sizeof(int) + number % (LONGEST - (int)sizeof(int));
}

static void send_all(const char *path)
{
    for (int i = 0; i < MESSAGES; i++) {
        memcpy(octets, &i, sizeof(i));
        MPI_Send(octets, length_of(i), MPI_BYTE, 1, i % TAGS, MPI_COMM_WORLD);
    }
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    MUST(fd >= 0, "%s cannot be made", path);
    close(fd);
}

static void compute(const char *path)
{
    struct timespec moment = {0, 1000000};
    time_t until = time(NULL) + DEADLINE_S;

    while (access(path, F_OK) != 0) {
        MUST(time(NULL) < until, "the sender is still sending after %d s", DEADLINE_S);
        nanosleep(&moment, NULL);
    }
}

/* The last tag first, so that most of the messages are passed over; every third one from anybody. */
//= PUMA-042
//= PUMA-134
//= PUMA-138
//= PUMA-167
static void receive_all(void)
{
    MPI_Status status;
    int number, count;

    for (int tag = TAGS; tag-- > 0;) {
        for (int i = tag; i < MESSAGES; i += TAGS) {
            int source = tag < 3 ? MPI_ANY_SOURCE : 0;

            MPI_Recv(octets, LONGEST, MPI_BYTE, source, tag == 0 ? MPI_ANY_TAG : tag, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &count);
            memcpy(&number, octets, sizeof(number));
            MUST(number == i && count == length_of(i), "message %d of tag %d is %d, of %d octets", i, tag, number,
                 count);
        }
    }
}

/* More than there is room for: what comes then waits at its sender, and loses neither its place nor an octet. */
static void overflow(void)
{
    static MPI_Request requests[MORE];
    static int numbers[MORE];
    MPI_Status status;
    int number;

    if (p2p_rank == 0) {
        for (int i = 0; i < MORE; i++) {
            numbers[i] = i;
            MPI_Isend(&numbers[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
        }
        for (int i = 0; i < MORE; i++) {
            MPI_Wait(&requests[i], &status);
        }
    } else {
        nanosleep(&(struct timespec){0, 300000000}, NULL); /* so that some have come */
        for (int i = 0; i < MORE; i++) {
            MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
            MUST(number == i, "message %d is %d", i, number);
        }
    }
}

int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    MUST(argc == 2, "one argument is needed");
    if (p2p_rank == 0) {
        send_all(argv[1]);
    } else {
        compute(argv[1]);
        receive_all();
    }
    overflow();
    return p2p_end();
}

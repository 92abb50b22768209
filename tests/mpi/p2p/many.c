/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * More messages at a time than there is room for: long ones, from each process to the first one, which receives the
 * last of them first; some are synchronous, some are cancelled; then short ones. No order in which messages are
 * received may hold up a program that has begun them all.
 *
 *      p2p_many COUNT [LONG]      so many from each; with a second argument nothing is cancelled, and none is short
 */
#include "tests/mpi/p2p/p2p.h"

enum {
    LENGTH = 2200,
    SHORT = 9,
    LAST = 1,
    CANCELLED = 7,
    OVER = 2,
    SHORTS = 240000,
    ROOM = 600,
    EACH = 1000,
    AT_ONCE = 40000
};

static int count;
static unsigned char *octets; /* all messages lie one octet behind the other */
static MPI_Request *requests;

static int tag_of(int number)
{
    return number == count - 1 ? LAST : OVER + 1 + number % EACH;
}

/* Every fifth is short, but for those that may be cancelled. */
static int length_of(int number)
{
    return number % 5 == 1 && number % CANCELLED != 0 ? SHORT : LENGTH;
}

static void begin_to(int rank)
{
    for (int i = 0; i < count; i++) {
        if (i % 3 == 0) {
            MPI_Issend(octets + i, length_of(i), MPI_BYTE, rank, tag_of(i), MPI_COMM_WORLD, &requests[i]);
        } else {
            MPI_Isend(octets + i, length_of(i), MPI_BYTE, rank, tag_of(i), MPI_COMM_WORLD, &requests[i]);
        }
    }
}

static void must_be(const unsigned char *got, int rank, int number)
{
    MUST(memcmp(got, octets + number, (size_t)length_of(number)) == 0, "the octets of message %d of rank %d are others",
         number, rank);
}

/* The last one, then those of the last tag, and so on. */
static void receive_from(int rank, bool without_cancelled)
{
    static unsigned char got[LENGTH];

    MPI_Recv(got, LENGTH, MPI_BYTE, rank, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    must_be(got, rank, count - 1);
    for (int part = EACH - 1; part >= 0; part--) {
        for (int i = part; i < count - 1; i += EACH) {
            if (!without_cancelled || i % CANCELLED != 0) {
                MPI_Recv(got, LENGTH, MPI_BYTE, rank, tag_of(i), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                must_be(got, rank, i);
            }
        }
    }
}

static void last_first(void)
{
    if (p2p_rank > 0) {
        begin_to(0);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        return;
    }
    for (int rank = 1; rank < p2p_size; rank++) {
        receive_from(rank, false);
    }
}

/* Every seventh is given up while the receiver waits for the last one; it hears when that is over. */
static void given_up(void)
{
    MPI_Status status;
    int cancelled;

    if (p2p_rank == 1) {
        begin_to(0);
        for (int i = 0; i < count - 1; i += CANCELLED) {
            MPI_Cancel(&requests[i]);
        }
        for (int i = 0; i < count - 1; i += CANCELLED) {
            MPI_Wait(&requests[i], &status);
            MPI_Test_cancelled(&status, &cancelled);
            MUST(cancelled, "message %d was not cancelled", i);
        }
        MPI_Send(NULL, 0, MPI_BYTE, 0, OVER, MPI_COMM_WORLD);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    } else if (p2p_rank == 0) {
        MPI_Recv(NULL, 0, MPI_BYTE, 1, OVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        receive_from(1, true);
    }
}

/* As many receives as messages, begun before one is waited for. */
static void at_once(int most)
{
    int begun = count < most ? count : most;
    unsigned char *all = p2p_rank == 0 ? malloc((size_t)begun * LENGTH) : NULL;

    if (p2p_rank == 1) {
        begin_to(0);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    } else if (p2p_rank == 0) {
        MUST(all, "no memory");
        MPI_Probe(1, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < begun; i++) {
            MPI_Irecv(all + (size_t)i * LENGTH, LENGTH, MPI_BYTE, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < begun; i++) {
            must_be(all + (size_t)i * LENGTH, 1, i);
        }
        for (int i = begun; i < count; i++) {
            MPI_Recv(all, LENGTH, MPI_BYTE, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            must_be(all, 1, i);
        }
    }
    free(all);
}

/* More short ones than their receiver lends and their sender copies. The first receive is posted, not listed. */
static void short_ones(void)
{
    static unsigned char got[ROOM];

    if (p2p_rank == 1) {
        for (int i = 0; i < SHORTS; i++) {
            MPI_Isend(octets + i % LENGTH, 4, MPI_BYTE, 0, i == SHORTS - 1 ? LAST : OVER, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(SHORTS, requests, MPI_STATUSES_IGNORE);
    } else if (p2p_rank == 0) {
        MPI_Recv(got, ROOM, MPI_BYTE, 1, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < SHORTS - 1; i++) {
            MPI_Recv(got, ROOM, MPI_BYTE, 1, OVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MUST(memcmp(got, octets + i % LENGTH, 4) == 0, "short message %d is another", i);
        }
    }
}

int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    MUST(argc == 2 || argc == 3, "one argument is needed, or two");
    count = atoi(argv[1]);
    octets = malloc((size_t)count + LENGTH);
    requests = malloc((size_t)(count > SHORTS ? count : SHORTS) * sizeof(MPI_Request));
    MUST(octets && requests, "no memory");
    p2p_fill(octets, (size_t)count + LENGTH, 1);
    last_first();
    at_once(AT_ONCE);
    if (argc == 2) {
        given_up();
        short_ones();
    }
    free(octets);
    free(requests);
    return p2p_end();
}

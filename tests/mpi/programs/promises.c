/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the paper on MPI for Puma promises of messages, and the standard with it, where a program that has it wrong
 * would wait for ever or find other octets: each part is arranged by messages, not by time. Two processes or more;
 * all but two take part in the collective operations alone.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 100000, SEVERAL = 16, GO = 900 };

static int rank, size, wrong;
static char mine[SEVERAL][LONG], got[SEVERAL][LONG];

static void expect(int good, const char *what)
{
    if (!good && wrong++ < 5) {
        printf("rank %d: %s\n", rank, what);
    }
}

static void say(const char *what)
{
    int all;

    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d wrong\n", what, all);
    }
    wrong = 0;
}

static void tell(int to)
{
    MPI_Send(NULL, 0, MPI_INT, to, GO, MPI_COMM_WORLD);
}

static void hear(int from)
{
    MPI_Recv(NULL, 0, MPI_INT, from, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void fill(int length)
{
    for (int i = 0; i < SEVERAL; i++) {
        memset(mine[i], 'a' + i, (size_t)length);
        memset(got[i], '-', LONG);
    }
}

static int holds(const char *octets, char octet, int length)
{
    for (int i = 0; i < length; i++) {
        if (octets[i] != octet) {
            return 0;
        }
    }
    return 1;
}

/* The second is received first, so the first must have been done with nobody waiting for it. */
//= PUMA-055
static void short_sends_are_done(void)
{
    static const int lengths[] = {1, 64, 200, 1000};

    for (int i = 0; i < 4; i++) {
        fill(lengths[i]);
        if (rank == 0) {
            MPI_Send(mine[0], lengths[i], MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            memset(mine[0], '?', LONG);
            MPI_Send(mine[1], lengths[i], MPI_BYTE, 1, 2, MPI_COMM_WORLD);
        } else if (rank == 1) {
            MPI_Recv(got[1], LONG, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(got[0], LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(holds(got[0], 'a', lengths[i]) && holds(got[1], 'b', lengths[i]), "a short send");
        }
    }
    say("short sends");
}

/* Posted receives with every wildcard take what comes, in the order in which they were posted. */
//= PUMA-037
//= PUMA-135
static void posted_in_order(void)
{
    MPI_Request requests[SEVERAL];

    fill(LONG);
    if (rank == 1) {
        for (int i = 0; i < SEVERAL; i++) {
            MPI_Irecv(got[i], LONG, MPI_BYTE, i % 2 ? MPI_ANY_SOURCE : 0, i % 3 ? MPI_ANY_TAG : 5, MPI_COMM_WORLD,
                      &requests[i]);
        }
        tell(0);
        for (int i = 0; i < SEVERAL; i++) {
            MPI_Status status;
            int count, length = i % 4 < 2 ? 8 : LONG;

            MPI_Wait(&requests[i], &status);
            MPI_Get_count(&status, MPI_BYTE, &count);
            expect(count == length && status.MPI_SOURCE == 0 && status.MPI_TAG == 5, "status of a posted receive");
            expect(holds(got[i], (char)('a' + i), length), "a posted receive");
            expect(length == LONG || got[i][length] == '-', "behind a posted receive");
        }
    } else if (rank == 0) {
        hear(1);
        for (int i = 0; i < SEVERAL; i++) {
            (i % 5 ? MPI_Send : MPI_Rsend)(mine[i], i % 4 < 2 ? 8 : LONG, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
        }
    }
    say("posted in order");
}

/* Sixteen synchronous sends of one length are under way; each is done when it, and no other, is received. */
//= PUMA-010
//= PUMA-062
//= PUMA-066
//= PUMA-071
static void answers_find_their_send(int length)
{
    MPI_Request requests[SEVERAL];

    fill(length);
    for (int i = 0; rank == 0 && i < SEVERAL; i++) {
        MPI_Issend(mine[i], length, MPI_BYTE, 1, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int step = 0; step < SEVERAL; step++) {
        int which = step * 7 % SEVERAL, done;

        if (rank == 1) {
            MPI_Recv(got[which], LONG, MPI_BYTE, 0, which, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(holds(got[which], (char)('a' + which), length), "what was sent synchronously");
            tell(0);
            hear(0);
        } else if (rank == 0) {
            hear(1);
            MPI_Wait(&requests[which], MPI_STATUS_IGNORE);
            for (int later = step + 1; later < SEVERAL; later++) {
                MPI_Test(&requests[later * 7 % SEVERAL], &done, MPI_STATUS_IGNORE);
                expect(!done, "a send is done that was not received");
            }
            tell(1);
        }
    }
    say(length < 1000 ? "short answers" : "long answers");
}

/* One of the processes is early, or late: the other begins when it hears that it has begun. */
//= PUMA-083
//= PUMA-084
static void early_and_late(void)
{
    for (int round = 0; round < 50; round++) {
        int given = round * 10 + rank, sum = -1, value = rank == 0 ? round : -1;
        MPI_Request request;

        if (rank == 0) {
            hear(1); /* rank 1 has given its part, with nobody waiting for it */
        }
        MPI_Igather(&given, 1, MPI_INT, got[0], 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        if (rank == 1) {
            tell(0);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int from = 0; rank == 0 && from < size; from++) {
            memcpy(&sum, got[0] + from * (int)sizeof(int), sizeof(sum));
            expect(sum == round * 10 + from, "what was given early");
        }
        if (rank == 1) {
            hear(0); /* rank 0 has sent to all */
        }
        MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        if (rank == 0) {
            tell(1);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(value == round, "what was sent early");
    }
    say("early and late");
}

/* Nothing stands between the operations but their order. */
//= PUMA-104
//= PUMA-105
static void in_a_row(void)
{
    for (int i = 0; i < 300; i++) {
        int root = i * 5 % size, value = rank == root ? i : -1, sum = -1, one = i + rank;

        if (i % 3 == 0) {
            MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
            expect(value == i, "a broadcast in a row");
        } else if (i % 3 == 1) {
            MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
            expect(rank != root || sum == size * i + size * (size - 1) / 2, "a sum in a row");
        } else {
            MPI_Scan(&one, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            expect(sum == one, "a scan in a row");
        }
    }
    say("in a row");
}

/* A message that had to wait leaves alone what it does not fill: of no octets, and where there is room for none. */
//= PUMA-166
static void nothing_kept(void)
{
    fill(8);
    if (rank == 0) {
        MPI_Send(mine[0], 0, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Send(mine[0], 8, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
        MPI_Send(mine[0], 8, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
        tell(1);
    } else if (rank == 1) {
        MPI_Status status;
        int count = -1;

        hear(0);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Recv(got[0], LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        expect(count == 0 && holds(got[0], '-', LONG), "of no octets");
        expect(MPI_Recv(got[0], 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS, "an error");
        expect(holds(got[0], '-', LONG), "room for none");
        expect(MPI_Recv(got[0], 3, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS, "an error");
        expect(holds(got[0] + 3, '-', LONG - 3), "room for three");
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    }
    say("nothing kept");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    short_sends_are_done();
    posted_in_order();
    answers_find_their_send(8);
    answers_find_their_send(LONG);
    early_and_late();
    in_a_row();
    nothing_kept();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Persistent requests, started again and again, some of them long, and completed by each function that takes several in
 * turn; what those functions say of requests that are not started.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHORT = 64, LONG = 30000, REQUESTS = 6, ROUNDS = 20 };

static int rank, size, before, after;
static double out[2][SHORT], in[2][SHORT], far[2][LONG];

/* Completes some of the requests; how many, with their numbers and statuses. */
static int complete(int way, MPI_Request *requests, int *numbers, MPI_Status *statuses)
{
    int count = 0, flag;

    if (way == 0) {
        MPI_Testsome(REQUESTS, requests, &count, numbers, statuses);
    } else if (way == 1) {
        MPI_Waitsome(REQUESTS, requests, &count, numbers, statuses);
    } else {
        MPI_Testany(REQUESTS, requests, &numbers[0], &flag, &statuses[0]);
        count = flag;
    }
    return count;
}

/* None of the requests is started. */
static void inactive(MPI_Request *requests)
{
    int count, flag, numbers[REQUESTS], number;
    MPI_Status statuses[REQUESTS];

    MPI_Testsome(REQUESTS, requests, &count, numbers, statuses);
    MPI_Testall(REQUESTS, requests, &flag, statuses);
    MPI_Waitany(REQUESTS, requests, &number, statuses);
    if (count != MPI_UNDEFINED || !flag || number != MPI_UNDEFINED || statuses[0].MPI_SOURCE != MPI_ANY_SOURCE ||
        statuses[0].MPI_TAG != MPI_ANY_TAG) {
        printf("inactive: %d, %d, %d\n", count, flag, number);
    }
}

static double rounds(MPI_Request *requests)
{
    double sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SHORT; i++) {
            out[0][i] = rank + round;
            out[1][i] = 2 * rank + round;
        }
        for (int i = 0; i < LONG; i++) {
            far[0][i] = rank + round + i;
        }
        MPI_Startall(REQUESTS, requests);
        for (int done = 0, count; done < REQUESTS; done += count) {
            int numbers[REQUESTS], got;
            MPI_Status statuses[REQUESTS];

            count = complete(round % 3, requests, numbers, statuses);
            for (int i = 0; i < count; i++) {
                MPI_Get_count(&statuses[i], MPI_DOUBLE, &got);
                if (numbers[i] == 5 && (statuses[i].MPI_SOURCE != before || got != LONG)) {
                    printf("status: %d from %d\n", got, statuses[i].MPI_SOURCE);
                }
            }
        }
        inactive(requests);
        sum += 3 * in[0][5] + in[1][SHORT - 1] + far[1][LONG - 1];
    }
    return sum;
}

/* A buffered one, and a message that is not persistent behind it. */
static double buffered(void)
{
    int octets, detached, count;
    void *buffer;
    MPI_Request request;
    MPI_Status status;

    MPI_Pack_size(SHORT, MPI_DOUBLE, MPI_COMM_WORLD, &octets);
    octets = 2 * (octets + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(malloc((size_t)octets), octets);
    MPI_Bsend_init(out[0], SHORT, MPI_DOUBLE, after, 5, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bsend(out[1], 3, MPI_DOUBLE, after, 5, MPI_COMM_WORLD);
    MPI_Recv(in[0], SHORT, MPI_DOUBLE, before, 5, MPI_COMM_WORLD, &status);
    MPI_Recv(in[1], SHORT, MPI_DOUBLE, before, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Buffer_detach(&buffer, &detached);
    free(buffer);
    MPI_Request_free(&request);
    if (detached != octets || count != 3) {
        printf("buffer of %d, not %d; %d\n", detached, octets, count);
    }
    return in[0][0];
}

int main(int argc, char **argv)
{
    double sum, all[64];
    MPI_Request requests[REQUESTS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
    MPI_Send_init(out[0], SHORT, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend_init(out[1], SHORT, MPI_DOUBLE, after, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(in[0], SHORT, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(in[1], SHORT, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Send_init(far[0], LONG, MPI_DOUBLE, after, 3, MPI_COMM_WORLD, &requests[4]);
    MPI_Recv_init(far[1], LONG, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[5]);
    sum = rounds(requests);
    for (int i = 0; i < REQUESTS; i++) {
        MPI_Request_free(&requests[i]);
        if (requests[i] != MPI_REQUEST_NULL) {
            printf("request %d is still there\n", i);
        }
    }
    sum += buffered();
    MPI_Gather(&sum, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) {
        printf("%d: %.1f\n", i, all[i]);
    }
    MPI_Finalize();
    return 0;
}

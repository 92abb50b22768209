/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is left alone: the error in the status of a function that has one status only (3.2.5), and buffers where nothing
 * is sent or received.
 */
#include <mpi.h>
#include <stdio.h>

enum { UNTOUCHED = 4711, TAG = 3 };

static int rank;

static void show(const char *what, const MPI_Status *status)
{
    int count;

    MPI_Get_count(status, MPI_INT, &count);
    if (rank > 0) {
        return; /* all find the same */
    }
    printf("%s: error %s, tag %s, %d\n", what, status->MPI_ERROR == UNTOUCHED ? "untouched" : "written",
           status->MPI_TAG == TAG ? "of the message" : "any", count);
}

static MPI_Status fresh(void)
{
    MPI_Status status;

    status.MPI_ERROR = UNTOUCHED;
    return status;
}

static void of_messages(void)
{
    int data = 5, got = 0, index, flag = 0;
    MPI_Status status = fresh();
    MPI_Request requests[2];

    MPI_Isend(&data, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[0]);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_SELF, &status);
    show("receive", &status);
    MPI_Wait(&requests[0], &status);

    MPI_Irecv(&got, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[0]);
    MPI_Send(&data, 1, MPI_INT, 0, TAG, MPI_COMM_SELF);
    status = fresh();
    MPI_Wait(&requests[0], &status);
    show("wait", &status);

    MPI_Irecv(&got, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[0]);
    MPI_Send(&data, 1, MPI_INT, 0, TAG, MPI_COMM_SELF);
    requests[1] = MPI_REQUEST_NULL;
    status = fresh();
    MPI_Waitany(2, requests, &index, &status);
    show("wait for any", &status);

    MPI_Irecv(&got, 1, MPI_INT, 0, TAG, MPI_COMM_SELF, &requests[0]);
    MPI_Send(&data, 1, MPI_INT, 0, TAG, MPI_COMM_SELF);
    status = fresh();
    while (!flag) {
        MPI_Test(&requests[0], &flag, &status);
    }
    show("test", &status);
}

static void of_nobody(void)
{
    int data[2] = {7, 8};
    MPI_Status status = fresh();

    MPI_Recv(data, 2, MPI_INT, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status);
    show("receive from nobody", &status);
    MPI_Sendrecv_replace(data, 2, MPI_INT, MPI_PROC_NULL, TAG, MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &status);
    if (rank == 0) {
        printf("kept: %d %d\n", data[0], data[1]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    of_messages();
    of_nobody();
    MPI_Finalize();
    return 0;
}

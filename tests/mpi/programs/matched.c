/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages that are found and received in two steps, communicators as MPI-3 makes them, and requests that the program
 * completes, ended together with messages.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_COUNT = 50000 };

static int rank, size;

/* Prints what the processes say, in the order of ranks. */
static void say(const char *what, int mine)
{
    int all[64];

    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size; i++) {
            printf(" %d", all[i]);
        }
        printf("\n");
    }
}

/* Every process sends a message of another length to the next one, which learns the length by finding it. */
static void found(int count, int at_once)
{
    int behind = (rank + 1) % size, mine = count + rank, got, sum = 0, flag = 0;
    int *sent = malloc((size_t)mine * sizeof(int)), *received;
    MPI_Request request, receive;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;

    for (int i = 0; i < mine; i++) {
        sent[i] = rank + i;
    }
    MPI_Isend(sent, mine, MPI_INT, behind, 4, MPI_COMM_WORLD, &request);
    if (at_once) {
        while (!flag) {
            MPI_Improbe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, &message, &status);
        }
    } else {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    }
    MPI_Get_count(&status, MPI_INT, &got);
    MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    received = malloc((size_t)got * sizeof(int));
    if (at_once) {
        MPI_Imrecv(received, got, MPI_INT, &message, &receive);
        MPI_Wait(&receive, &status);
    } else {
        MPI_Mrecv(received, got, MPI_INT, &message, &status);
    }
    for (int i = 0; i < got; i++) {
        sum = (sum * 7 + received[i]) % 1000003;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say(at_once ? "found at once" : "found", sum);
    say("from", status.MPI_SOURCE);
    say("tag", status.MPI_TAG);
    say("another", flag);
    say("message is null", message == MPI_MESSAGE_NULL);
    free(sent);
    free(received);
    MPI_Barrier(MPI_COMM_WORLD); /* the next message must not be taken for another one */
}

/* What is found first is received last, and as elements with gaps. */
static void out_of_order(void)
{
    int numbers[2][4] = {{rank, rank + 1, rank + 2, rank + 3}, {10 * rank, 0, 1, 2}}, got[8];
    MPI_Message first, second;
    MPI_Request requests[2];
    MPI_Datatype gaps;
    MPI_Status statuses[2];

    memset(got, 0, sizeof(got));
    MPI_Type_vector(4, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&gaps);
    for (int i = 0; i < 2; i++) {
        MPI_Isend(numbers[i], 4, MPI_INT, rank, 6, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Mprobe(rank, 6, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
    MPI_Mprobe(rank, 6, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
    MPI_Mrecv(got + 1, 4, MPI_INT, &second, MPI_STATUS_IGNORE);
    say("second", got[1] + got[2] + got[3] + got[4]);
    memset(got, 0, sizeof(got));
    MPI_Mrecv(got, 1, gaps, &first, MPI_STATUS_IGNORE);
    say("first", got[0] + 10 * got[2] + 100 * got[4] + 1000 * got[6] + got[1]);
    MPI_Waitall(2, requests, statuses);
    MPI_Type_free(&gaps);
}

static void from_nobody(void)
{
    MPI_Message message;
    MPI_Status status;
    int count;

    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
    say("no process", message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(NULL, 0, MPI_INT, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("of it", count + (status.MPI_SOURCE == MPI_PROC_NULL));
}

/* Communicators of the processes of odd and of even ranks: only they call, and those of odd ones twice. */
static void groups(void)
{
    int ranks[64], count = 0, sum = 0, first, parity = rank % 2;
    MPI_Group world, part;
    MPI_Comm comm, again;

    for (int i = parity; i < size; i += 2) {
        ranks[count++] = i;
    }
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, ranks, &part);
    MPI_Comm_create_group(MPI_COMM_WORLD, part, 3, &comm);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    say("group", sum);
    if (parity) {
        MPI_Comm_create_group(comm, part, 3, &again);
        first = rank;
        MPI_Bcast(&first, 1, MPI_INT, 0, again);
        MPI_Comm_free(&again);
    } else {
        first = -1;
    }
    say("again", first);
    MPI_Comm_free(&comm);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
}

static void copies(void)
{
    MPI_Comm comm, same;
    MPI_Request request;
    MPI_Info info, used;
    int sum = 0, result;

    MPI_Info_create(&info);
    MPI_Info_set(info, "a_hint", "of a program");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Comm_set_info(comm, info);
    MPI_Comm_get_info(comm, &used);
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    MPI_Comm_idup(comm, &same, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_compare(comm, same, &result);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, same);
    say("copies", result == MPI_CONGRUENT ? sum : -1);
    MPI_Comm_free(&same);
    MPI_Comm_free(&comm);
}

/* What has been called for one request. */
struct work {
    int number, queried, freed, cancelled;
};

static int query(void *extra, MPI_Status *status)
{
    struct work *work = extra;

    work->queried = 1;
    MPI_Status_set_elements(status, MPI_INT, work->number);
    MPI_Status_set_cancelled(status, work->cancelled);
    status->MPI_SOURCE = work->number;
    status->MPI_TAG = 10 * work->number;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    ((struct work *)extra)->freed++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    ((struct work *)extra)->cancelled = complete ? 2 : 1;
    return MPI_SUCCESS;
}

static void show(const char *what, const struct work *work, const MPI_Status *status)
{
    int count, cancelled;

    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    if (rank == 0) {
        printf("%s: %d elements from %d, tag %d, cancelled %d; queried %d, freed %d\n", what, count, status->MPI_SOURCE,
               status->MPI_TAG, cancelled != 0, work->queried, work->freed);
    }
}

static void own_requests(void)
{
    struct work work[3] = {{1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}};
    MPI_Request requests[3], copy;
    MPI_Status statuses[3];
    int flag, got = -1, version, subversion;

    for (int i = 0; i < 3; i++) {
        MPI_Grequest_start(query, release, cancel, &work[i], &requests[i]);
    }
    MPI_Test(&requests[0], &flag, &statuses[0]);
    if (rank == 0) {
        printf("before it is complete: %d\n", flag);
    }
    MPI_Cancel(&requests[1]);
    MPI_Grequest_complete(requests[1]);
    MPI_Request_get_status(requests[1], &flag, &statuses[1]);
    show("asked", &work[1], &statuses[1]);
    MPI_Wait(&requests[1], &statuses[1]);
    show("cancelled", &work[1], &statuses[1]);
    copy = requests[2];
    MPI_Request_free(&requests[2]);
    MPI_Grequest_complete(copy);
    if (rank == 0) {
        printf("freed: %d\n", work[2].freed);
    }
    MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Grequest_complete(requests[0]);
    MPI_Waitall(3, requests, statuses);
    show("with messages", &work[0], &statuses[0]);
    MPI_Get_version(&version, &subversion);
    if (rank == 0) {
        printf("got %d, version %d\n", got, version >= 2);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int at_once = 0; at_once < 2; at_once++) {
        found(1, at_once);
        found(LONG_COUNT, at_once);
    }
    out_of_order();
    from_nobody();
    groups();
    copies();
    own_requests();
    MPI_Finalize();
    return EXIT_SUCCESS;
}

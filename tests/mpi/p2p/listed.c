/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receives with room for a few octets only, which wait in a list of the library, beside those in the match list:
 * messages find the oldest that fits, and nobody waits for ever for one whose receiver waits for something else. Rank 0
 * receives, rank 1 sends.
 */
#include "tests/mpi/p2p/p2p.h"

enum { LONG = 1000, MANY = 40, TAG = 5, OTHER_TAG = 6, GO = 7 };

static int small[MANY], large[LONG];
static MPI_Request requests[MANY];

/* Each of these begins when both are here. */
static void begin_part(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    memset(small, 0, sizeof(small));
    memset(large, 0, sizeof(large));
}

static void send_numbers(int count, int tag)
{
    for (int i = 1; i <= count; i++) {
        MPI_Send(&i, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
}

/* Rank 1 sends when rank 0 has begun all its receives. */
static void tell(void)
{
    MPI_Send(NULL, 0, MPI_INT, 1, GO, MPI_COMM_WORLD);
}

static void be_told(void)
{
    MPI_Recv(NULL, 0, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Exact ones and some with wildcards in turn, and a long one in the midst. */
static void in_order(void)
{
    begin_part();
    if (p2p_rank == 1) {
        be_told();
        send_numbers(MANY, TAG);
        return;
    }
    for (int i = 0; i < MANY; i++) {
        int *place = i == MANY / 2 ? large : &small[i];

        MPI_Irecv(place, i == MANY / 2 ? LONG : 1, MPI_INT, i % 3 == 1 ? MPI_ANY_SOURCE : 1,
                  i % 4 == 1 ? MPI_ANY_TAG : TAG, MPI_COMM_WORLD, &requests[i]);
    }
    tell();
    MPI_Waitall(MANY, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++) {
        int got = i == MANY / 2 ? large[0] : small[i];

        MUST(got == i + 1, "receive %d has message %d", i, got);
    }
}

/* The oldest receive that fits, be its sender open or not, though neither is the oldest of all. */
static void oldest_that_fits(void)
{
    begin_part();
    if (p2p_rank == 1) {
        be_told();
        send_numbers(4, TAG);
        send_numbers(1, OTHER_TAG);
        return;
    }
    MPI_Irecv(&small[0], 1, MPI_INT, 1, OTHER_TAG, MPI_COMM_WORLD, &requests[0]);
    for (int i = 1; i <= 4; i++) {
        MPI_Irecv(&small[i], 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : 1, TAG, MPI_COMM_WORLD, &requests[i]);
    }
    tell();
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= 4; i++) {
        MUST(small[i] == i, "receive %d has message %d", i, small[i]);
    }
}

/* Both wait until a synchronous message is received, of which one is for a listed receive. */
static void while_sending(void)
{
    begin_part();
    if (p2p_rank == 1) {
        MPI_Ssend(&(int){1}, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
        MPI_Recv(large, LONG, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(&small[0], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Ssend(large, LONG, MPI_INT, 1, TAG, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MUST(small[0] == 1, "received %d", small[0]);
}

/* The same while rank 0 waits for a window that rank 1 has locked. */
static void while_locking(void)
{
    MPI_Win win;

    MPI_Win_create(large, sizeof(large), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    begin_part();
    if (p2p_rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Ssend(&(int){1}, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
        MPI_Win_unlock(1, win);
    } else {
        MPI_Irecv(&small[0], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Win_unlock(1, win);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MUST(small[0] == 1, "received %d", small[0]);
    }
    MPI_Win_free(&win);
}

/* Of a short and of a long receive either may be done first. */
static void any_of_both(void)
{
    begin_part();
    for (int first = TAG; first <= OTHER_TAG; first++) {
        int second = TAG + OTHER_TAG - first, index;

        if (p2p_rank == 1) {
            be_told();
            MPI_Ssend(&first, 1, MPI_INT, 0, first, MPI_COMM_WORLD);
            be_told();
            MPI_Ssend(&second, 1, MPI_INT, 0, second, MPI_COMM_WORLD);
            continue;
        }
        MPI_Irecv(&small[0], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(large, LONG, MPI_INT, 1, OTHER_TAG, MPI_COMM_WORLD, &requests[1]);
        tell();
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MUST(index == first - TAG, "%d is done", index);
        tell();
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        MUST(index == second - TAG, "%d is done", index);
        MUST(small[0] == TAG && large[0] == OTHER_TAG, "received %d and %d", small[0], large[0]);
    }
}

/* What a cancelled receive would have had goes to the next one; a message that is too long is cut, and this is told. */
static void cancelled_and_cut(void)
{
    MPI_Status status;
    int cancelled, code, count;

    begin_part();
    if (p2p_rank == 1) {
        be_told();
        send_numbers(1, TAG);
        MPI_Send(large, LONG, MPI_INT, 0, OTHER_TAG, MPI_COMM_WORLD);
        return;
    }
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(&small[0], 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&small[1], 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&small[2], 1, MPI_INT, 1, OTHER_TAG, MPI_COMM_WORLD, &requests[2]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &cancelled);
    MUST(cancelled, "nothing was sent yet");
    tell();
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MUST(small[0] == 0 && small[1] == 1, "received %d and %d", small[0], small[1]);
    code = MPI_Wait(&requests[2], &status);
    MUST(code == MPI_ERR_TRUNCATE, "the error is %d", code);
    MPI_Get_count(&status, MPI_INT, &count);
    MUST(count == 1 && small[3] == 0, "%d elements, and %d behind", count, small[3]);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    MUST(p2p_size == 2, "two ranks are needed");
    in_order();
    oldest_that_fits();
    while_sending();
    while_locking();
    any_of_both();
    cancelled_and_cut();
    return p2p_end();
}

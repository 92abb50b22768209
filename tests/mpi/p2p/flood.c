/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * More of everything than the library has room for at a time: messages, short, long and synchronous, that nobody has
 * asked for; receives that are posted long before; persistent requests that go round and round. Nothing is lost and the
 * order stays. Rank 0 sends to all others.
 */
#include "tests/mpi/p2p/p2p.h"

enum { UNEXPECTED = 6000, POSTED = 20000, ROUNDS = 3000, BIG = 3000, TAG = 4, DONE = 5, NEVER = 6 };

static unsigned char octets[UNEXPECTED][64], big[BIG];
static MPI_Request requests[POSTED];
static MPI_Status statuses[POSTED];
static int numbers[POSTED];

static int length_of(int number)
{
    return number % 64;
}

static void send_many(int to)
{
    for (int i = 0; i < UNEXPECTED; i++) {
        p2p_fill(octets[i], (size_t)length_of(i), (uint32_t)i);
        if (i % 16 == 0) {
            MPI_Issend(octets[i], length_of(i), MPI_BYTE, to, TAG, MPI_COMM_WORLD, &requests[i]);
        } else if (i % 64 == 1) {
            MPI_Isend(big, BIG, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &requests[i]);
        } else {
            MPI_Isend(octets[i], length_of(i), MPI_BYTE, to, TAG, MPI_COMM_WORLD, &requests[i]);
        }
    }
    MPI_Waitall(UNEXPECTED, requests, statuses);
}

static void receive_many(void)
{
    static unsigned char in[BIG];
    MPI_Status status;
    int count;

    /* The last message is the last to come: so all others are there, or are being held up. */
    for (int i = 0; i < UNEXPECTED; i++) {
        int want = i % 16 != 0 && i % 64 == 1 ? BIG : length_of(i);
        const unsigned char *expected = want == BIG ? big : octets[i];

        p2p_fill(octets[i], (size_t)length_of(i), (uint32_t)i);
        MPI_Recv(in, BIG, MPI_BYTE, i % 3 ? 0 : MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        MUST(count == want && memcmp(in, expected, (size_t)want) == 0, "message %d has %d octets", i, count);
    }
}

static void post_many(void)
{
    for (int i = 0; i < POSTED; i++) {
        numbers[i] = -1;
        MPI_Irecv(&numbers[i], 1, MPI_INT, i % 2 ? 0 : MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Send(NULL, 0, MPI_BYTE, 0, DONE, MPI_COMM_WORLD);
    MPI_Waitall(POSTED, requests, statuses);
    for (int i = 0; i < POSTED; i++) {
        MUST(numbers[i] == i, "receive %d got message %d", i, numbers[i]);
    }
}

static void fill_posted(int to)
{
    MPI_Recv(NULL, 0, MPI_BYTE, to, DONE, MPI_COMM_WORLD, &statuses[0]);
    for (int i = 0; i < POSTED; i++) {
        MPI_Send(&i, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
    }
}

/* The last receive has no place in the match list, and nobody sends what those that have one want. */
static void wait_for_last(void)
{
    int last = -1;
    MPI_Request request;

    for (int i = 0; i < POSTED; i++) {
        MPI_Irecv(&numbers[i], 1, MPI_INT, 0, NEVER, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Irecv(&last, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, &request);
    MPI_Send(NULL, 0, MPI_BYTE, 0, DONE, MPI_COMM_WORLD);
    MPI_Wait(&request, &statuses[0]);
    MUST(last == POSTED, "%d is not what was sent", last);
    for (int i = 0; i < POSTED; i++) {
        MPI_Cancel(&requests[i]);
    }
    MPI_Waitall(POSTED, requests, statuses);
}

static void send_last(int to)
{
    int last = POSTED;

    MPI_Recv(NULL, 0, MPI_BYTE, to, DONE, MPI_COMM_WORLD, &statuses[0]);
    MPI_Send(&last, 1, MPI_INT, to, TAG, MPI_COMM_WORLD);
}

typedef int init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* A pair of persistent requests that goes round and round. */
static void go_round(init *mode, int peer)
{
    MPI_Request pair[2];
    int out = 0, in = -1;

    mode(&out, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &pair[0]);
    MPI_Recv_init(&in, 1, MPI_INT, peer, TAG, MPI_COMM_WORLD, &pair[1]);
    for (int i = 0; i < ROUNDS; i++) {
        out = i;
        MPI_Startall(2, pair);
        MPI_Waitall(2, pair, statuses);
        MUST(in == i, "round %d got %d", i, in);
    }
    MPI_Request_free(&pair[0]);
    MPI_Request_free(&pair[1]);
    MUST(pair[0] == MPI_REQUEST_NULL, "a freed request has a name");
}

/* Requests that are freed before they are done go on: nobody knows for how long the memory of such a send is needed. */
static void let_go(int peer)
{
    static int out = 4711;
    MPI_Request freed;
    int in = -1;

    MPI_Isend(&out, 1, MPI_INT, peer, DONE, MPI_COMM_WORLD, &freed);
    MPI_Request_free(&freed);
    MPI_Recv(&in, 1, MPI_INT, peer, DONE, MPI_COMM_WORLD, &statuses[0]);
    MUST(in == out, "%d is not %d", in, out);
}

static void persist(int peer)
{
    static unsigned char room[100 * (MPI_BSEND_OVERHEAD + 4)];
    void *buffer;
    int size;

    MPI_Buffer_attach(room, sizeof(room));
    go_round(MPI_Send_init, peer);
    go_round(MPI_Bsend_init, peer);
    go_round(MPI_Ssend_init, peer);
    MPI_Buffer_detach(&buffer, &size);
    let_go(peer);
}

//= PUMA-048
//= PUMA-049
//= PUMA-077
//= PUMA-106
//= PUMA-145
//= PUMA-163
//= PUMA-164
//= PUMA-165
//= PUMA-169
int main(int argc, char **argv)
{
    p2p_begin(&argc, &argv);
    p2p_fill(big, BIG, 1);
    for (int rank = 1; rank < p2p_size; rank++) {
        if (p2p_rank == 0) {
            send_many(rank);
            fill_posted(rank);
            send_last(rank);
            persist(rank);
        } else if (p2p_rank == rank) {
            receive_many();
            post_many();
            wait_for_last();
            persist(0);
        }
    }
    return p2p_end();
}

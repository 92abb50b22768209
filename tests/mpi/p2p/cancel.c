/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling, between rank 0 and the last rank: receives and sends that nothing has met, that something has met, and
 * that might have. MPI_Wait returns after MPI_Cancel whatever the other program does: it waits outside MPI, for the end
 * of a FIFO, whose name is the argument.
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/mpi/p2p/p2p.h"

enum { LEN = 50000, TAG = 7, NEXT = 8, MANY = 100 };

static const char *fifo;
static unsigned char out[LEN], in[LEN];

static int wait_cancelled(MPI_Request *request)
{
    MPI_Status status;
    int cancelled;

    MPI_Wait(request, &status);
    MUST(*request == MPI_REQUEST_NULL, "a request that is done has a name");
    MPI_Test_cancelled(&status, &cancelled);
    return cancelled;
}

static void tell(int to)
{
    MPI_Send(NULL, 0, MPI_BYTE, to, NEXT, MPI_COMM_WORLD);
}

static void hear(int from)
{
    MPI_Status status;

    MPI_Recv(NULL, 0, MPI_BYTE, from, NEXT, MPI_COMM_WORLD, &status);
}

/* Waits until the other rank has opened the FIFO too; without MPI. */
static void meet(int writes)
{
    int fd = open(fifo, writes ? O_WRONLY : O_RDONLY);

    MUST(fd >= 0, "cannot open %s", fifo);
    close(fd);
}

/* ---- receives --------------------------------------------------------------------------------------------------- */

static void receives(int peer)
{
    MPI_Request request, other;
    MPI_Status status;

    MPI_Irecv(in, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Irecv(in, LEN, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &other);
    MPI_Cancel(&request);
    MPI_Cancel(&other);
    MUST(wait_cancelled(&request) && wait_cancelled(&other), "a receive that nothing met is not cancelled");

    MPI_Irecv(in, LEN, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &request);
    tell(peer);
    hear(peer); /* and the message came before */
    MPI_Cancel(&request);
    MUST(!wait_cancelled(&request), "a receive is cancelled that has its message");
    MUST(p2p_differs(in, LEN, 1) == LEN, "wrong octets");

    MPI_Recv_init(in, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Start(&request);
    tell(peer);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);
    MUST(p2p_differs(in, LEN, 2) == LEN, "wrong octets");
}

static void receives_other(int peer)
{
    hear(peer);
    p2p_fill(out, LEN, 1);
    MPI_Send(out, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
    tell(peer);
    hear(peer);
    p2p_fill(out, LEN, 2);
    MPI_Send(out, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

/* ---- sends ------------------------------------------------------------------------------------------------------ */

/* There is room for one message of LEN octets alone, which one that is cancelled gives back. */
static void buffered(int peer)
{
    static unsigned char room[LEN + MPI_BSEND_OVERHEAD];
    const int lens[] = {LEN, 3, LEN, 0};
    MPI_Request request;
    void *detached;
    int octets;

    MPI_Buffer_attach(room, sizeof(room));
    for (int i = 0; i < 4; i++) {
        MPI_Ibsend(out, lens[i], MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MUST(wait_cancelled(&request), "a buffered send of %d octets that nothing met is not cancelled", lens[i]);
    }
    MPI_Bsend_init(out, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Status status;
        int cancelled;

        MPI_Start(&request);
        MPI_Cancel(&request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        MUST(cancelled, "a persistent buffered send that nothing met is not cancelled");
    }
    MPI_Request_free(&request);
    MPI_Ibsend(out, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Buffer_detach(&detached, &octets);
    MUST(octets == sizeof(room), "%d octets were attached", octets);

    /* Nothing told that the last one is gone. A wish behind it is answered behind it. */
    MPI_Issend(out, 3, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MUST(wait_cancelled(&request), "a send behind a buffered one that was given up is not cancelled");
}

static void sends(int peer)
{
    MPI_Request request[MANY];

    MPI_Isend(out, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[0]);
    MPI_Issend(out, 3, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[1]);
    MPI_Issend(out, 0, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Cancel(&request[i]);
        MUST(wait_cancelled(&request[i]), "send %d that nothing met is not cancelled", i);
    }
    for (int i = 0; i < MANY; i++) {
        MPI_Issend(out, i * 100, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[i]);
    }
    for (int i = MANY - 1; i >= 0; i--) {
        MPI_Cancel(&request[i]);
    }
    for (int i = 0; i < MANY; i++) {
        MUST(wait_cancelled(&request[i]), "send %d of many is not cancelled", i);
    }
    buffered(peer);
    meet(1);
    hear(peer);
    p2p_fill(out, LEN, 3);
    MPI_Isend(out, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[0]);
    hear(peer); /* it is being received */
    MPI_Cancel(&request[0]);
    MUST(!wait_cancelled(&request[0]), "a send is cancelled that is received");
    for (int len = 3; len <= LEN; len += LEN - 3) {
        static unsigned char room[LEN + MPI_BSEND_OVERHEAD];
        void *detached;
        int octets;

        MPI_Buffer_attach(room, sizeof(room));
        MPI_Ibsend(out, len, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request[0]);
        hear(peer); /* it has been received */
        MPI_Cancel(&request[0]);
        MUST(!wait_cancelled(&request[0]), "a buffered send of %d octets is cancelled that was received", len);
        MPI_Buffer_detach(&detached, &octets);
    }
}

static void sends_other(int peer)
{
    MPI_Request request;
    MPI_Status status;
    int flag;

    meet(0);
    MPI_Iprobe(peer, TAG, MPI_COMM_WORLD, &flag, &status);
    MUST(!flag, "a message of %d octets is there that was cancelled", (int)status.assay_octets);
    tell(peer);
    MPI_Probe(peer, TAG, MPI_COMM_WORLD, &status);
    MPI_Irecv(in, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
    tell(peer);
    MPI_Wait(&request, &status);
    MUST(p2p_differs(in, LEN, 3) == LEN, "wrong octets");
    for (int i = 0; i < 2; i++) {
        MPI_Recv(in, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &status);
        tell(peer);
    }
    MUST(p2p_differs(in, LEN, 3) == LEN, "wrong octets");
}

/* The other program is in MPI, but waits for something else. */
static void while_probing(int peer)
{
    for (int i = 0; i < MANY; i++) {
        MPI_Request request;

        MPI_Issend(out, i * 50, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MUST(wait_cancelled(&request), "send %d to one who probes is not cancelled", i);
        tell(peer);
        hear(peer);
    }
}

static void while_probing_other(int peer)
{
    MPI_Status status;
    int flag;

    for (int i = 0; i < MANY; i++) {
        MPI_Probe(peer, NEXT, MPI_COMM_WORLD, &status);
        MPI_Iprobe(peer, TAG, MPI_COMM_WORLD, &flag, &status);
        MUST(!flag, "message %d is there that was cancelled", i);
        hear(peer);
        tell(peer);
    }
}

/* Sends that race with their receives: what the sender hears is what the receiver finds. */
static void races(int peer)
{
    for (int i = 0; i < MANY; i++) {
        MPI_Request request;
        int cancelled;

        p2p_fill(out, LEN, (uint32_t)i);
        MPI_Isend(out, i % 3 ? LEN : 20, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
        if (i % 2) {
            hear(peer);
        }
        MPI_Cancel(&request);
        cancelled = wait_cancelled(&request);
        MPI_Send(&cancelled, 1, MPI_INT, peer, NEXT, MPI_COMM_WORLD);
        hear(peer);
    }
}

static void races_other(int peer)
{
    for (int i = 0; i < MANY; i++) {
        int len = i % 3 ? LEN : 20, cancelled, received;
        MPI_Request request;
        MPI_Status status;

        MPI_Irecv(in, LEN, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, &request);
        if (i % 2) {
            tell(peer);
        }
        MPI_Recv(&cancelled, 1, MPI_INT, peer, NEXT, MPI_COMM_WORLD, &status);
        if (cancelled) {
            MPI_Cancel(&request);
        }
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &received);
        received = !received;
        MUST(received != cancelled, "the sender says %d, the receiver %d", cancelled, received);
        MUST(!received || p2p_differs(in, (size_t)len, (uint32_t)i) == (size_t)len, "wrong octets");
        tell(peer);
    }
}

//= PUMA-076
int main(int argc, char **argv)
{
    int last;

    p2p_begin(&argc, &argv);
    MUST(argc == 2 && p2p_size > 1, "usage: p2p_cancel FIFO, with two ranks or more");
    fifo = argv[1];
    last = p2p_size - 1;
    if (p2p_rank == 0) {
        receives(last);
        sends(last);
        while_probing(last);
        races(last);
    } else if (p2p_rank == last) {
        receives_other(0);
        sends_other(0);
        while_probing_other(0);
        races_other(0);
    }
    return p2p_end();
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device under a hostile peer: random packets of every type, about requests that are there and that are
 * not, in pieces of random length, while the program sends, receives, cancels and probes at random. Nothing is expected
 * but that memory stays whole, which the sanitizers see, and that afterwards an honest exchange works. The seed is
 * printed and may be given as argument.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { PACKETS = 20000, OPEN = 16, DATALEN = 10, NEVER = 1000000, ROOM = 64 };

static uint64_t state;
static MPI_Request request[OPEN];
static unsigned char octets[OPEN][ROOM + 16];
static uint64_t srqids[8], drqids[8]; /* such as were seen */

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

static uint64_t strange(void)
{
    static const uint64_t values[] = {0, 1, 2, 9, 10, 11, 30, 64, 1 << 20, INT32_MAX, UINT32_MAX, UINT64_MAX};

    return draw(3) ? values[draw(sizeof(values) / sizeof(values[0]))] : draw(100);
}

static struct agent_packet forge(void)
{
    struct agent_packet p = {.type = draw(7), .src = (int)draw(4), .dest = draw(8) ? 0 : 1};

    p.len = draw(DATALEN + 1);
    p.srqid = draw(2) ? srqids[draw(8)] : strange();
    p.drqid = draw(2) ? drqids[draw(8)] : strange();
    p.msglen = draw(2) ? p.len : strange();
    p.lsrank = (int32_t)strange();
    p.tag = (int32_t)draw(4);
    p.cid = draw(4) ? 0 : strange();
    p.rest = strange();
    return p;
}

/* Looks at what the process has sent, and remembers its ids. */
static void look(void)
{
    while (agent_waiting()) {
        struct agent_packet p = agent_read();

        if (p.type == DATA || p.type == DATASYNC) {
            srqids[draw(8)] = p.srqid;
        } else if (p.type == SYNCACK) {
            drqids[draw(8)] = p.drqid;
            srqids[draw(8)] = p.srqid;
        }
    }
}

static void program(void)
{
    MPI_Status status;
    int i = (int)draw(OPEN), flag, peer = 1 + (int)draw(2), tag = (int)draw(4), len = (int)draw(ROOM);

    if (request[i] != MPI_REQUEST_NULL) {
        if (draw(4) == 0) {
            MPI_Cancel(&request[i]);
        }
        MPI_Test(&request[i], &flag, &status);
        return;
    }
    switch (draw(6)) {
    case 0:
        MPI_Isend(octets[i], len, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request[i]);
        return;
    case 1:
        MPI_Issend(octets[i], len, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request[i]);
        return;
    case 2:
        MPI_Irecv(octets[i], len, MPI_BYTE, peer, tag, MPI_COMM_WORLD, &request[i]);
        return;
    case 3:
        MPI_Irecv(octets[i], len, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[i]);
        return;
    case 4:
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &status);
        return;
    default:
        MPI_Isend(octets[i], len, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &request[i]);
        return;
    }
}

static void send_in_pieces(const struct agent_packet *packet)
{
    const unsigned char *all;
    size_t len = agent_octets(packet, &all);
    size_t first = draw(4) ? len : draw((uint32_t)len);

    agent_send_octets(all, first);
    program();
    agent_send_octets(all + first, len - first);
}

/* The last honest exchange, under a tag that nothing else has had. */
static void honest(void)
{
    struct agent_packet p = agent_data(2, 30000, 4);
    MPI_Status status;
    int value = 0, sent = 7;
    uint32_t type;

    agent_send(&p);
    MPI_Recv(&value, 1, MPI_INT, 2, 30000, MPI_COMM_WORLD, &status);
    CHECK_EQ(value, 0x00010203, "a message comes through");
    MPI_Send(&sent, 1, MPI_INT, 1, 30001, MPI_COMM_WORLD);
    do {
        p = agent_read();
        type = p.type;
    } while (type != 99 && (type != DATA || p.tag != 30001));
    CHECK(type == DATA && p.data[3] == 7, "and one goes out");
}

/* Lets go what is still open: by cancelling it, and answering. */
static void release(void)
{
    for (int i = 0; i < OPEN; i++) {
        if (request[i] != MPI_REQUEST_NULL) {
            MPI_Cancel(&request[i]);
            MPI_Request_free(&request[i]);
        }
    }
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    printf("# seed %llu\n", (unsigned long long)state);
    agent_begin(DATALEN, NEVER, NEVER);
    for (int i = 0; i < OPEN; i++) {
        request[i] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < PACKETS; i++) {
        struct agent_packet p = forge();

        send_in_pieces(&p);
        program();
        look();
    }
    honest();
    release();
    agent_end();
    return tap_done();
}

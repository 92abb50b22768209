/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Context ids that another client has counted up high (IMPI 3.3, 4.3): they are wider than what the match bits of the
 * local device have room for, and must keep communicators apart all the same, also of messages that never leave the
 * client; and the meeting of two leaders (4.8), of which one takes the printed call at its word. Judges IMPI-104,
 * IMPI-203.
 */
#include <mpi.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { BEHIND_REDUCE = 190, MEETING = 17, OFFER_OCTETS = 8, COMMUNICATORS = 3 };

/* MPI_Comm_dup of the world, in which client 1 says that it has used context ids up to this one. */
static MPI_Comm dup_above(uint64_t highest)
{
    struct agent_packet offer = agent_data(1, BEHIND_REDUCE, OFFER_OCTETS), all;
    MPI_Comm made = MPI_COMM_NULL;

    offer.cid = 1;
    for (int i = 0; i < OFFER_OCTETS; i++) {
        offer.data[i] = (unsigned char)(highest >> (56 - 8 * i));
    }
    agent_send(&offer);
    CHECK_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &made), MPI_SUCCESS, "a copy of the world");
    all = agent_read();
    CHECK(all.type == DATA && all.cid == 1 && all.len == OFFER_OCTETS, "whose context id all are told");
    return made;
}

/* Sends the number of each communicator to oneself in it, and receives them in another order. */
static void apart(MPI_Comm *comms)
{
    MPI_Request requests[COMMUNICATORS];
    int numbers[COMMUNICATORS], got, there = 1;

    for (int i = 0; i < COMMUNICATORS; i++) {
        numbers[i] = i;
        MPI_Isend(&numbers[i], 1, MPI_INT, 0, 5, comms[i], &requests[i]);
    }
    for (int i = COMMUNICATORS - 1; i >= 0; i--) {
        got = -1;
        MPI_Recv(&got, 1, MPI_INT, 0, 5, comms[i], MPI_STATUS_IGNORE);
        CHECK_EQ(got, i, "a message comes in the communicator in which it was sent");
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comms[i], &there, MPI_STATUS_IGNORE);
        CHECK(!there, "and there is no other in it");
    }
    MPI_Waitall(COMMUNICATORS, requests, MPI_STATUSES_IGNORE);
}

/* Two MPI_INT from the leader of ranks 1 and 2. */
static void lead(int first, int second)
{
    struct agent_packet p = agent_data(1, MEETING, 8);
    const int numbers[2] = {first, second};

    for (int i = 0; i < 8; i++) {
        p.data[i] = (unsigned char)(numbers[i / 4] >> (24 - 8 * (i % 4)));
    }
    agent_send(&p);
}

/* A leader whose first message has two MPI_INT, and has come before ours leaves. */
static void printed_form(void)
{
    static const unsigned char size[4] = {0, 0, 0, 1}, rank[4] = {0, 0, 0, 0};
    MPI_Comm both = MPI_COMM_NULL;
    struct agent_packet p;
    int there = 0;

    lead(9, 2);
    lead(1, 2);
    while (!there) {
        MPI_Iprobe(1, MEETING, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    }
    CHECK_EQ(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1, MEETING, &both), MPI_SUCCESS, "they meet");
    p = agent_read();
    CHECK(p.type == DATA && p.len == 8 && p.tag == MEETING, "who sends 8 octets gets 8");
    CHECK_MEM(p.data + 4, size, 4, "with the size of the group");
    p = agent_read();
    CHECK(p.type == DATA && p.len == 4, "then the list of ranks");
    CHECK_MEM(p.data, rank, 4, "of one");
}

int main(void)
{
    MPI_Comm comms[COMMUNICATORS];

    agent_begin(100, 1000, 1000);
    printed_form();
    comms[0] = MPI_COMM_SELF;
    /* Two ids that look alike to one who multiplies by the golden ratio and keeps 23 bits. */
    comms[1] = dup_above(UINT64_C(0x100000001));
    comms[2] = dup_above(UINT64_C(0x100e3d1b1));
    apart(comms);
    /* The same lower 24 bits; the last ids that there are. */
    comms[1] = dup_above(UINT64_C(0xabcdef0123456701));
    comms[2] = dup_above(UINT64_C(0xabcdef0124456701));
    apart(comms);
    comms[1] = dup_above(UINT64_C(18446744073709551595));
    comms[2] = dup_above(UINT64_C(18446744073709551597));
    apart(comms);
    agent_end();
    return tap_done();
}

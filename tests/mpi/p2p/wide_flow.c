/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Flow control of the wide-area device: IMPI 3.6. ackmark is 3 and hiwater is 5 here, packets carry 10 octets. Each
 * test uses up what it sends, so that the next one begins with both counters at 0.
 */
#include <mpi.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { ACKMARK = 3, HIWATER = 5, FENCE = 2 };

static unsigned asked, heard; /* in the channel of rank 2, where the fences are */

/* One more packet came from there: keeps it open. */
static void hear(void)
{
    struct agent_packet ack = agent_answer(PROTOACK, FENCE, 0);

    if (++heard % ACKMARK == 0) {
        agent_send(&ack);
    }
}

/* As agent_nothing, but a fence's own packets count too. */
static bool nothing(void)
{
    bool good = agent_nothing();

    hear();
    if (++asked % ACKMARK == 0) {
        struct agent_packet p = agent_read();

        good = good && p.type == PROTOACK && p.dest == FENCE;
    }
    return good;
}

/* Reads packets of one type; how many came before something else or nothing did. */
static void expect(uint32_t type, int count, const char *what)
{
    for (int i = 0; i < count; i++) {
        struct agent_packet p = agent_read();

        if (p.type != type || (type == PROTOACK && p.dest != 1)) {
            CHECK_EQ(p.type, type, what);
            return;
        }
    }
    CHECK(true, "%s", what);
}

static void acknowledge(int times)
{
    struct agent_packet ack = agent_answer(PROTOACK, 1, 0);

    for (int i = 0; i < times; i++) {
        agent_send(&ack);
    }
}

static void stops_at_hiwater(void)
{
    MPI_Request request[13];
    MPI_Status status[13];
    int value = 1, flag;

    for (int i = 0; i < 13; i++) {
        MPI_Isend(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    }
    expect(DATA, HIWATER, "as many packets as hiwater says leave");
    CHECK(nothing(), "and no more");
    MPI_Testall(13, request, &flag, status);
    CHECK(!flag, "those that wait are not done");
    MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    CHECK_EQ(agent_read().dest, 2, "another channel is open");
    hear();
    acknowledge(1);
    expect(DATA, ACKMARK, "one PROTOACK lets ackmark more leave");
    CHECK(nothing(), "and no more");
    acknowledge(2);
    expect(DATA, 5, "two let the rest leave");
    MPI_Waitall(13, request, status);
    /* 13 sent, 9 acknowledged: 4 are left, of which one PROTOACK takes 3. */
    acknowledge(1);
}

/* One is left of the test before. */
static void is_not_widened(void)
{
    MPI_Request request[8];
    MPI_Status status[8];
    int value = 1;

    acknowledge(3); /* of packets that were never sent */
    CHECK(nothing(), "a PROTOACK that nobody needs changes nothing");
    for (int i = 0; i < 8; i++) {
        MPI_Isend(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    }
    expect(DATA, HIWATER - 1, "the window is as before");
    CHECK(nothing(), "no wider");
    acknowledge(1);
    expect(DATA, 3, "three more");
    CHECK(nothing(), "and no more");
    acknowledge(1);
    expect(DATA, 1, "the last");
    MPI_Waitall(8, request, status);
    acknowledge(1); /* 9 sent since the last was left, 9 acknowledged */
}

static void acknowledges(void)
{
    struct agent_packet p = agent_data(1, 1, 4), other = agent_answer(CANCEL, 1, 999);
    MPI_Status status;
    int value;

    agent_send(&p);
    agent_send(&p);
    CHECK(nothing(), "fewer than ackmark packets are not acknowledged");
    agent_send(&p);
    expect(PROTOACK, 1, "the third is, though nobody receives it");
    for (int i = 0; i < 9; i++) {
        agent_send(&p);
    }
    expect(PROTOACK, 3, "nine get three");
    CHECK(nothing(), "and no more");
    for (int i = 0; i < 3; i++) {
        agent_send(&other);
        expect(CANCELNO, 1, "CANCEL is answered");
    }
    expect(PROTOACK, 1, "and counts");
    acknowledge(1);
    for (int i = 0; i < 12; i++) {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
    }
    CHECK(nothing(), "receiving is not heard");
}

/* Replies count for who sends them. */
static void replies_wait(void)
{
    struct agent_packet p = agent_data(1, 1, 4);
    MPI_Request request[7];
    MPI_Status status[7];
    int value[7];

    for (int i = 0; i < 7; i++) {
        MPI_Irecv(&value[i], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[i]);
    }
    p.type = DATASYNC;
    for (int i = 0; i < 7; i++) {
        p.srqid = (uint64_t)i;
        agent_send(&p);
    }
    /* The PROTOACKs come between and are not held up. */
    int syncacks = 0, protoacks = 0;
    for (int i = 0; i < HIWATER + 2; i++) {
        uint32_t type = agent_read().type;

        syncacks += type == SYNCACK;
        protoacks += type == PROTOACK;
    }
    CHECK(syncacks == HIWATER && protoacks == 2, "hiwater SYNCACKs, and all PROTOACKs");
    CHECK(nothing(), "the others are held up");
    MPI_Waitall(7, request, status); /* the messages are received */
    acknowledge(1);
    expect(SYNCACK, 2, "until there is room");
    acknowledge(1); /* one is left at both ends */
    p.type = DATA;
    agent_send(&p);
    agent_send(&p);
    expect(PROTOACK, 1, "the next two make it three");
    for (int i = 0; i < 2; i++) {
        MPI_Recv(value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, status);
    }
}

/* One packet is unacknowledged. A long message stops within itself; acknowledgements go before it. */
static void long_messages_stop_too(void)
{
    unsigned char octets[100] = {0};
    struct agent_packet first, ack, p = agent_data(1, 1, 4);
    MPI_Request request, receive;
    MPI_Status status;
    int value;

    MPI_Isend(octets, 100, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &receive);
    first = agent_read();
    ack = agent_answer(SYNCACK, 1, first.srqid);
    ack.drqid = 5;
    agent_send(&ack);
    expect(DATA, 3, "the rest of a long message leaves as far as hiwater");
    CHECK(nothing(), "and stops");
    p.type = DATASYNC;
    p.srqid = 33;
    agent_send(&p);
    MPI_Wait(&receive, &status);
    acknowledge(1);
    expect(SYNCACK, 1, "what has to be answered is answered first");
    expect(DATA, 2, "then it goes on");
    agent_send(&p);
    expect(PROTOACK, 1, "acknowledging although it is stopped");
    acknowledge(1);
    expect(DATA, 3, "and on");
    acknowledge(1);
    expect(DATA, 1, "to the end");
    MPI_Wait(&request, &status);
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
    expect(SYNCACK, 1, "and the last answer");
    acknowledge(1);
}

int main(void)
{
    agent_begin(10, ACKMARK, HIWATER);
    TAP_RUN(stops_at_hiwater);
    TAP_RUN(is_not_widened);
    TAP_RUN(acknowledges);
    TAP_RUN(replies_wait);
    TAP_RUN(long_messages_stop_too);
    agent_end();
    return tap_done();
}

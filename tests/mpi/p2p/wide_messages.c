/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The wide-area device as sender and receiver of messages, packet by packet: IMPI 3.5, 3.7.1 to 3.7.3. Packets carry 10
 * octets here; flow control is out of the way.
 */
#include <mpi.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { DATALEN = 10, NEVER = 100000 };

static void sends_short(void)
{
    int value[2] = {0x01020304, -2};
    struct agent_packet p;

    MPI_Send(value, 2, MPI_INT, 1, 77, MPI_COMM_WORLD);
    p = agent_read();
    CHECK_EQ(p.type, DATA, "a short standard message is DATA");
    CHECK_EQ(p.len, 8, "of two ints in external32");
    CHECK_EQ(p.msglen, 8, "pk_msglen is the whole");
    CHECK_MEM(p.data, "\x01\x02\x03\x04\xff\xff\xff\xfe", 8, "in network byte order");
    CHECK(p.src == 0 && p.dest == 1, "from rank 0 to rank 1");
    CHECK(p.lsrank == 0 && p.tag == 77 && p.cid == 0 && p.rest == 0, "sender's rank, tag, context, nothing reserved");
    MPI_Send(value, 0, MPI_INT, 2, 40000, MPI_COMM_WORLD);
    p = agent_read();
    CHECK(p.type == DATA && p.len == 0 && p.dest == 2 && p.tag == 40000, "an empty message with the largest tag");
    CHECK_EQ(MPI_Send(value, 1, MPI_INT, 1, 40001, MPI_COMM_WORLD), MPI_ERR_TAG, "a larger tag is refused");
    CHECK(agent_nothing(), "and nothing is sent");
}

static void sends_synchronous(void)
{
    struct agent_packet p[3], ack;
    MPI_Request request[3];
    MPI_Status status;
    int flag[3], value = 5;

    for (int i = 0; i < 3; i++) {
        MPI_Issend(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
        p[i] = agent_read();
        CHECK(p[i].type == DATASYNC && p[i].len == 4 && p[i].tag == i, "a short synchronous message is DATASYNC");
    }
    CHECK(p[0].srqid != p[1].srqid && p[1].srqid != p[2].srqid && p[0].srqid != p[2].srqid, "each has an id");
    ack = agent_answer(SYNCACK, 1, p[2].srqid);
    agent_send(&ack);
    agent_settled();
    for (int i = 0; i < 3; i++) {
        MPI_Test(&request[i], &flag[i], &status);
    }
    CHECK(!flag[0] && !flag[1] && flag[2], "the SYNCACK with its pk_srqid ends one of them");
    agent_send(&ack); /* once more: nobody waits for it */
    ack = agent_answer(SYNCACK, 2, p[0].srqid);
    agent_send(&ack); /* from somebody else */
    agent_settled();
    MPI_Test(&request[0], &flag[0], &status);
    CHECK(!flag[0], "a SYNCACK from another process does not");
    for (int i = 0; i < 2; i++) {
        ack = agent_answer(SYNCACK, 1, p[i].srqid);
        agent_send(&ack);
        MPI_Wait(&request[i], &status);
    }
    CHECK(true, "all are done");
}

static void sends_long(void)
{
    unsigned char octets[25];
    struct agent_packet first, next, ack;
    MPI_Request request;
    MPI_Status status;
    int flag;

    for (int i = 0; i < 25; i++) {
        octets[i] = (unsigned char)i;
    }
    MPI_Isend(octets, 25, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    first = agent_read();
    CHECK(first.type == DATASYNC && first.len == 10 && first.msglen == 25 && first.drqid == 0,
          "the first packet is full");
    MPI_Send(octets, 1, MPI_BYTE, 1, 4, MPI_COMM_WORLD);
    next = agent_read();
    CHECK(next.type == DATA && next.tag == 4, "another message goes before the rest");
    MPI_Test(&request, &flag, &status);
    CHECK(!flag && agent_nothing(), "which waits for the SYNCACK");
    ack = agent_answer(SYNCACK, 1, first.srqid);
    ack.drqid = UINT64_C(0x8000000000000001);
    agent_send(&ack);
    for (int i = 1; i <= 2; i++) {
        next = agent_read();
        CHECK(next.type == DATA && next.len == (i == 1 ? 10u : 5u), "the rest is DATA, as full as can be");
        CHECK(next.drqid == ack.drqid && next.srqid == first.srqid, "with the id that the receiver gave, and the own");
        CHECK(next.tag == 3 && next.cid == 0 && next.msglen == 25 && next.lsrank == 0,
              "and the other fields of the first");
        CHECK_MEM(next.data, octets + 10 * i, next.len, "and its octets");
    }
    MPI_Wait(&request, &status);
    CHECK(agent_nothing(), "that was all");
}

/* ---- receiving -------------------------------------------------------------------------------------------------- */

static void receives_short(void)
{
    struct agent_packet p = agent_data(1, 9, 8), other = agent_data(1, 9, 4);
    MPI_Status status;
    int value[4] = {0, 0, 77, 77}, count, flag;

    p.srqid = 0; /* some send no id */
    p.rest = UINT64_MAX;
    other.cid = 2;
    agent_send(&other);
    agent_settled();
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    CHECK(!flag, "a message of another context is not seen");
    agent_send(&p);
    MPI_Recv(value, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(status.MPI_SOURCE == 1 && status.MPI_TAG == 9 && count == 2, "source, tag, count");
    CHECK(value[0] == 0x00010203 && value[1] == 0x04050607 && value[2] == 77, "two ints, and no more");
    CHECK(agent_nothing(), "DATA is not answered");
    p.type = DATASYNC;
    p.srqid = UINT64_MAX;
    agent_send(&p);
    agent_settled();
    MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, &status);
    CHECK(flag && agent_nothing(), "DATASYNC is not answered when it is probed");
    CHECK_EQ(MPI_Recv(value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE,
             "too long a message is told");
    p = agent_read();
    CHECK(p.type == SYNCACK && p.srqid == UINT64_MAX && p.src == 0 && p.dest == 1,
          "it is answered when it is received");
    CHECK(value[1] == 0x04050607 && agent_nothing(), "once, and nothing is written beside the room");
}

/* A long message with everything wrong that does not matter, in odd pieces, with others between. */
static void receives_long(void)
{
    struct agent_packet first = agent_data(1, 5, 10), rest = agent_data(1, 5, 7), small = agent_data(1, 6, 3), ack;
    unsigned char octets[30];
    const unsigned char *raw;
    MPI_Status status;
    MPI_Request request;
    size_t len;
    int flag, count;

    first.type = DATASYNC;
    first.msglen = 24;
    first.srqid = 11;
    len = agent_octets(&first, &raw);
    agent_send_octets(raw, len - 1);
    MPI_Iprobe(1, 5, MPI_COMM_WORLD, &flag, &status);
    CHECK(!flag, "a packet that is not all there cannot be probed");
    agent_send_octets(raw + len - 1, 1);
    MPI_Probe(1, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_EQ(count, 24, "the first packet is enough to probe, and tells the length");
    CHECK(agent_nothing(), "probing is not heard");
    memset(octets, 0xee, sizeof(octets));
    MPI_Irecv(octets, 30, MPI_BYTE, 1, 5, MPI_COMM_WORLD, &request);
    ack = agent_read();
    CHECK(ack.type == SYNCACK && ack.srqid == 11 && ack.drqid != 0, "SYNCACK when it is matched, with an id");
    rest.srqid = 11;
    rest.msglen = 24;
    rest.drqid = ack.drqid;
    agent_send(&rest);
    agent_send(&small);
    rest.drqid ^= 1; /* belongs to nothing */
    agent_send(&rest);
    rest.drqid ^= 1;
    agent_settled();
    MPI_Test(&request, &flag, &status);
    CHECK(!flag, "the end is missing");
    rest.data[0] = 99;
    rest.len = 9; /* two octets more than there may be */
    agent_send(&rest);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK(count == 24 && octets[9] == 9 && octets[10] == 0 && octets[17] == 99 && octets[23] == 6, "all of it came");
    CHECK_EQ(octets[24], 0xee, "and nothing behind it");
    MPI_Recv(octets, 30, MPI_BYTE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_EQ(count, 3, "and so did the message between");
}

/* Two long messages with one tag: matched in order, filled in the other. */
static void receives_crosswise(void)
{
    struct agent_packet first[2], ack[2], rest;
    unsigned char octets[2][20];
    MPI_Request request[2];
    MPI_Status status;

    for (int i = 0; i < 2; i++) {
        MPI_Irecv(octets[i], i == 0 ? 20 : 12, MPI_BYTE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request[i]);
    }
    for (int i = 0; i < 2; i++) {
        first[i] = agent_data(1, 5, 10);
        first[i].type = DATASYNC;
        first[i].msglen = 20;
        first[i].srqid = 7; /* one id for both: they are told apart by ours */
        agent_send(&first[i]);
        ack[i] = agent_read();
    }
    CHECK(ack[0].drqid != ack[1].drqid, "each has an id");
    for (int i = 1; i >= 0; i--) {
        rest = agent_data(1, 5, 10);
        rest.msglen = 20;
        rest.srqid = 7;
        rest.drqid = ack[i].drqid;
        memset(rest.data, 40 + i, 10);
        agent_send(&rest);
    }
    CHECK_EQ(MPI_Wait(&request[0], &status), MPI_SUCCESS, "the first is received");
    CHECK(octets[0][10] == 40 && octets[0][19] == 40, "with its own octets");
    CHECK_EQ(MPI_Wait(&request[1], &status), MPI_ERR_TRUNCATE, "the second is too long for its room");
    CHECK(octets[1][10] == 41 && octets[1][11] == 41, "and fills it");
}

/* Packets that no honest peer sends. */
static void ignores_the_impossible(void)
{
    struct agent_packet p = agent_data(1, 8, 10);
    MPI_Status status;
    int flag;

    p.msglen = 4;
    agent_send(&p); /* more data than the message has */
    p.msglen = 30;
    agent_send(&p); /* goes on with nothing */
    p = agent_data(7, 8, 4);
    agent_send(&p); /* from nobody */
    p = agent_data(0, 8, 4);
    agent_send(&p); /* from ourselves */
    p = agent_data(1, 8, 4);
    p.dest = 2;
    agent_send(&p); /* for another */
    for (uint32_t type = SYNCACK; type <= CANCELNO; type++) {
        p = agent_answer(type, 1, 4711);
        if (type != CANCEL) {
            agent_send(&p); /* about nothing */
        }
    }
    CHECK(agent_nothing(), "none of it is answered");
    MPI_Iprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &flag, &status);
    CHECK(!flag, "none of it is a message");
    p = agent_data(1, 8, 4);
    p.lsrank = 1000000;
    agent_send(&p);
    MPI_Recv(&flag, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
    CHECK_EQ(status.MPI_SOURCE, 1, "a sender's rank that nobody has is not believed");
}

static void from_anybody(void)
{
    struct agent_packet p = agent_data(2, 12, 4);
    int value[3] = {0}, own = 42;
    MPI_Request request[3], send;
    MPI_Status status[3];

    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&value[i], 1, MPI_INT, MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, &request[i]);
    }
    MPI_Isend(&own, 1, MPI_INT, 0, 12, MPI_COMM_WORLD, &send); /* to ourselves, over Portals */
    MPI_Wait(&request[0], &status[0]);
    agent_send(&p);
    MPI_Wait(&request[1], &status[1]);
    MPI_Send(&own, 1, MPI_INT, 0, 12, MPI_COMM_WORLD);
    MPI_Wait(&request[2], &status[2]);
    MPI_Wait(&send, &status[0]);
    CHECK(value[0] == 42 && value[1] == 0x00010203 && value[2] == 42, "each message is taken once, in its turn");
    CHECK_EQ(status[1].MPI_SOURCE, 2, "from where it came");
}

int main(void)
{
    agent_begin(DATALEN, NEVER, NEVER);
    TAP_RUN(sends_short);
    TAP_RUN(sends_synchronous);
    TAP_RUN(sends_long);
    TAP_RUN(receives_short);
    TAP_RUN(receives_long);
    TAP_RUN(receives_crosswise);
    TAP_RUN(ignores_the_impossible);
    TAP_RUN(from_anybody);
    agent_end();
    return tap_done();
}

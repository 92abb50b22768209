/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling between clients, packet by packet: IMPI 3.7.4. Flow control is out of the way.
 */
#include <mpi.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { NEVER = 100000, DATALEN = 10 };

static unsigned char octets[40];

static int cancelled(MPI_Request *request)
{
    MPI_Status status;
    int flag;

    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &flag);
    return flag;
}

/* Begins a send, which is heard, and cancels it, which is heard too. */
static struct agent_packet begin(int synchronous, int len, MPI_Request *request)
{
    struct agent_packet first, cancel;

    (synchronous ? MPI_Issend : MPI_Isend)(octets, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD, request);
    first = agent_read();
    MPI_Cancel(request);
    cancel = agent_read();
    CHECK(cancel.type == CANCEL && cancel.srqid == first.srqid && cancel.dest == 1, "CANCEL with the message's id");
    MPI_Cancel(request);
    CHECK(agent_nothing(), "one is enough");
    return first;
}

static void answer(uint32_t type, uint64_t srqid, uint64_t drqid)
{
    struct agent_packet p = agent_answer(type, 1, srqid);

    p.drqid = drqid;
    agent_send(&p);
}

static void yes_cancels(void)
{
    static const struct {
        int synchronous, len;
        const char *what;
    } kinds[] = {{0, 4, "a short message"}, {1, 4, "a synchronous one"}, {0, 30, "a long one"}, {1, 30, "both"}};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        MPI_Request request;
        struct agent_packet first = begin(kinds[i].synchronous, kinds[i].len, &request);

        answer(CANCELYES, first.srqid, 0);
        CHECK(cancelled(&request), "%s is cancelled by CANCELYES", kinds[i].what);
        answer(SYNCACK, first.srqid, 3);
        CHECK(agent_nothing(), "and nothing more of it is sent");
    }
}

static void no_does_not(void)
{
    MPI_Request request;
    MPI_Status status;
    struct agent_packet first = begin(0, 4, &request);
    int flag;

    MPI_Test(&request, &flag, &status);
    CHECK(!flag, "a short message is not done before the reply");
    answer(CANCELNO, first.srqid, 0);
    CHECK(!cancelled(&request), "and CANCELNO leaves it sent");

    first = begin(1, 4, &request);
    answer(CANCELNO, first.srqid, 0);
    agent_settled();
    MPI_Test(&request, &flag, &status);
    CHECK(!flag, "a synchronous one still waits for its SYNCACK");
    answer(SYNCACK, first.srqid, 0);
    CHECK(!cancelled(&request), "which ends it");
}

/* The SYNCACK crosses the CANCEL, and the reply comes before or after. */
static void crossing(void)
{
    for (int reply_first = 0; reply_first < 2; reply_first++) {
        MPI_Request request;
        struct agent_packet first = begin(0, 25, &request), rest;

        if (reply_first) {
            answer(CANCELNO, first.srqid, 0);
        }
        answer(SYNCACK, first.srqid, 77);
        for (int i = 0; i < 2; i++) {
            rest = agent_read();
            CHECK(rest.type == DATA && rest.drqid == 77, "the rest of a matched message is sent");
        }
        if (!reply_first) {
            MPI_Status status;
            int flag;

            MPI_Test(&request, &flag, &status);
            CHECK(!flag, "the reply is waited for");
            answer(CANCELNO, first.srqid, 0);
        }
        CHECK(!cancelled(&request), "and it is not cancelled");
    }
}

static void too_late(void)
{
    MPI_Request request;
    struct agent_packet first;

    MPI_Issend(octets, 4, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
    first = agent_read();
    answer(SYNCACK, first.srqid, 0);
    agent_settled();
    MPI_Cancel(&request);
    CHECK(agent_nothing(), "after the SYNCACK there is no CANCEL");
    CHECK(!cancelled(&request), "and no cancelling");
    MPI_Irecv(octets, 4, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    CHECK(cancelled(&request) && agent_nothing(), "a receive is cancelled without a word");
}

/* ---- the other side --------------------------------------------------------------------------------------------- */

static void ask(int src, uint64_t srqid, uint32_t expected, const char *what)
{
    struct agent_packet p = agent_answer(CANCEL, src, srqid);

    agent_send(&p);
    p = agent_read();
    CHECK(p.type == expected && p.srqid == srqid && p.src == 0 && p.dest == src, "%s", what);
}

static void answers(void)
{
    struct agent_packet p = agent_data(1, 1, 4);
    MPI_Status status;
    int flag, value, count;

    p.srqid = 7;
    for (int i = 0; i < 3; i++) {
        p.data[3] = (unsigned char)i;
        agent_send(&p);
    }
    ask(2, 7, CANCELNO, "a message of another process stays");
    ask(1, 8, CANCELNO, "one that never was is not cancelled");
    ask(1, 7, CANCELYES, "of three with one id, one is destroyed");
    for (int i = 0; i < 2; i++) {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
        CHECK_EQ(value & 0xff, i, "not the first two");
    }
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &status);
    CHECK(!flag, "but the last");
    ask(1, 7, CANCELNO, "a message that was received is not cancelled");
    p = agent_data(1, 1, 10);
    p.type = DATASYNC;
    p.msglen = 15;
    p.srqid = 9;
    agent_send(&p);
    ask(1, 9, CANCELYES, "a long message is destroyed after its first packet");
    agent_send(&p);
    MPI_Request request;
    MPI_Irecv(octets, 40, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
    struct agent_packet ack = agent_read();
    ask(1, 9, CANCELNO, "but not once it is matched");
    p.type = DATA;
    p.len = 5;
    p.drqid = ack.drqid;
    agent_send(&p);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_EQ(count, 15, "and then it is received");
}

int main(void)
{
    agent_begin(DATALEN, NEVER, NEVER);
    TAP_RUN(yes_cancels);
    TAP_RUN(no_does_not);
    TAP_RUN(crossing);
    TAP_RUN(too_late);
    TAP_RUN(answers);
    agent_end();
    return tap_done();
}

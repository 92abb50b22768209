/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of the wide-area device: IMPI 2.4 and 3.8. What could not leave does not leave after FINI; what comes is read
 * and acknowledged until the agent says FINI too; unmatched messages harm nobody; before the process parts from another
 * one it has answered everything. ackmark is 3 and hiwater is 5.
 */
#include <mpi.h>
#include <pthread.h>

#include "tests/mpi/p2p/agent.h"
#include "tests/unit/tap.h"

enum { HIWATER = 5, MESSAGES = 10 };

static unsigned char attached[10000], octets[5000];

/* The hosts of both others have said FINI: rank 1 is owed nothing; rank 2 asks more than may be answered at once. */
static void part(void)
{
    struct agent_packet p, ask = agent_answer(CANCEL, 2, 60), over = agent_answer(FINI, 2, 0);
    struct agent_packet ack = agent_answer(PROTOACK, 2, 0);
    int answers = 0, acks = 0;

    for (int i = 0; i < HIWATER + 1; i++) {
        agent_send(&ask);
    }
    agent_send(&over);
    over.src = 1;
    agent_send(&over);
    do {
        p = agent_read();
        answers += p.type == CANCELNO && p.dest == 2;
        acks += p.type == PROTOACK && p.dest == 2;
    } while (p.type == CANCELNO || p.type == PROTOACK);
    CHECK(p.type == FINI && p.dest == 1, "nothing is owed to rank 1");
    CHECK(answers < HIWATER + 1 && acks == 2, "the answers to rank 2 go as far as flow control allows");
    agent_send(&ack);
    agent_send(&ack);
    do {
        p = agent_read();
        answers += p.type == CANCELNO && p.dest == 2;
    } while (p.type == CANCELNO);
    CHECK_EQ(answers, HIWATER + 1, "all of them leave when it opens");
    CHECK(p.type == FINI && p.dest == 2, "and then the process parts from rank 2");
}

/* The agent's part, while the program is in MPI_Finalize. */
static void *end(void *unused)
{
    struct agent_packet p = agent_data(1, 110, 0), ack = agent_answer(PROTOACK, 2, 0),
                        fini = agent_answer(FINI, AGENT_NOBODY, 0);

    p.cid = 1;
    agent_send(&p); /* master 1 is at the barrier: 4.10 */
    p = agent_read();
    CHECK(p.type == DATA && p.cid == 1 && p.tag == 110 && p.dest == 1, "MPI_Finalize ends with a barrier");
    p = agent_read();
    CHECK_EQ(p.type, FINI, "then the process is finalized");
    agent_send(&ack); /* the way to rank 2 is open again */
    p = agent_data(1, 1, 4);
    agent_send(&p);
    agent_send(&p);
    p = agent_read();
    CHECK(p.type == PROTOACK && p.dest == 1, "what comes after FINI is acknowledged");
    p = agent_answer(SYNCACK, 2, 1);
    agent_send(&p);
    p = agent_answer(CANCEL, 1, 55);
    agent_send(&p);
    p = agent_read();
    CHECK(p.type == CANCELNO && p.srqid == 55, "and answered, and no message follows FINI");
    part();
    agent_send(&fini);
    return unused;
}

int main(void)
{
    struct agent_packet p;
    pthread_t thread;
    MPI_Request request;
    int value = 1;

    agent_begin(10, 3, HIWATER);
    MPI_Buffer_attach(attached, sizeof(attached));
    MPI_Bsend(octets, 30, MPI_BYTE, 2, 0, MPI_COMM_WORLD); /* long, and never answered in time */
    MPI_Isend(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    for (int i = 2; i < MESSAGES; i++) {
        MPI_Bsend(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < HIWATER; i++) {
        p = agent_read();
        CHECK(p.type == (i == 0 ? DATASYNC : DATA) && p.dest == 2, "as many messages leave as may");
    }
    MPI_Cancel(&request); /* this cannot leave either */
    MPI_Request_free(&request);
    MPI_Bsend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* to oneself, unmatched */
    MPI_Bsend(octets, 5000, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    CHECK(pthread_create(&thread, NULL, end, NULL) == 0, "there is a thread");
    MPI_Finalize();
    pthread_join(thread, NULL);
    CHECK(true, "MPI_Finalize returns when the agent is done");
    return tap_done();
}

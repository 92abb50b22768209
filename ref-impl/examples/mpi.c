/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A program that sends messages as MPI programs do: chapter 5.3 of the specification, over mpi_messages.h.
 *
 *      portalsrun -np 4 mpi [SEED]
 *
 * Every rank sends MESSAGES messages to every rank, short and long, under a few tags, in three phases:
 *
 *      expected     all receives are posted before anybody sends
 *      unexpected   nothing is posted before everything has come
 *      race         receives are posted while messages come; some name sender and tag, some take any
 *
 * and looks at every octet and at the order: of one sender and tag, messages are received as they were sent.
 */
#include "ref-impl/examples/mpi_messages.h"

#include <string.h>

#include "ref-impl/examples/must.h"

enum { RANKS_MAX = 16, MESSAGES = 48, TAGS = 3, LENGTH_MAX = 3 * MPI_LONG_LENGTH, HEAD = 8 };

#define TAG_GO MPI_TAG_NAMED /* so that a receive of any tag does not take it */

enum phase { EXPECTED, UNEXPECTED, RACE };

static const char *const phase_names[] = {"expected", "unexpected", "race"};

struct message {
    struct mpi_request request;
    unsigned char octets[LENGTH_MAX];
};

static struct message *outgoing, *incoming;          /* MESSAGES for each rank */
static uint32_t sent[RANKS_MAX][TAGS];               /* how many, to each receiver and tag */
static uint32_t received[RANKS_MAX][TAGS];           /* and of each sender and tag */
static unsigned count_expected, count_unexpected[2]; /* short, long */
static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* What the octets of a message are made from: its sender, tag, and number among those of that sender, tag and receiver.
 */
static uint32_t mark_of(ptl_id_t sender, uint32_t tag, uint32_t number)
{
    return sender << 24 | tag << 16 | number;
}

static unsigned char octet_at(uint32_t mark, ptl_size_t i)
{
    return (unsigned char)(mark * 2654435761u >> 11 ^ i * 31);
}

/* Makes a message; its length, short or long with the same chance. */
static ptl_size_t fill(unsigned char *octets, uint32_t mark)
{
    ptl_size_t length = random_below(2) ? HEAD + random_below(MPI_LONG_LENGTH - HEAD)
                                        : MPI_LONG_LENGTH + random_below(LENGTH_MAX - MPI_LONG_LENGTH + 1);

    memcpy(octets, &mark, sizeof(mark));
    for (ptl_size_t i = sizeof(mark); i < length; i++) {
        octets[i] = octet_at(mark, i);
    }
    return length;
}

/* Looks at a message that was received. */
static void judge(const struct message *message)
{
    const struct mpi_request *request = &message->request;
    uint32_t number = received[request->rank][request->tag]++, mark;

    memcpy(&mark, message->octets, sizeof(mark));
    must_hold(mark == mark_of(request->rank, request->tag, number), "mpi: a message came out of order");
    for (ptl_size_t i = sizeof(mark); i < request->length; i++) {
        must_hold(message->octets[i] == octet_at(mark, i), "mpi: an octet of a message is wrong");
    }
    if (request->expected) {
        count_expected++;
    } else {
        count_unexpected[request->length >= MPI_LONG_LENGTH]++;
    }
}

/* Sends message i of this rank; its messages go to all ranks in turn. */
static void send_one(uint32_t i)
{
    ptl_id_t to = i % mpi_size();
    uint32_t tag = i / mpi_size() % TAGS;
    ptl_size_t length = fill(outgoing[i].octets, mark_of(mpi_rank(), tag, sent[to][tag]++));

    MPIsend(&outgoing[i].request, outgoing[i].octets, length, to, tag);
}

static void send_all(void)
{
    for (uint32_t i = 0; i < MESSAGES * mpi_size(); i++) {
        send_one(i);
    }
}

/* Posts the receives: MESSAGES / TAGS for each sender and tag. */
static void receive_all(void)
{
    ptl_id_t size = mpi_size();

    for (uint32_t i = 0; i < MESSAGES * size; i++) {
        MPIreceive(&incoming[i].request, incoming[i].octets, LENGTH_MAX, i % size, i / size % TAGS);
    }
}

static void wait_all(void)
{
    for (uint32_t i = 0; i < MESSAGES * mpi_size(); i++) {
        MPIwait(&incoming[i].request);
        judge(&incoming[i]);
    }
    for (uint32_t i = 0; i < MESSAGES * mpi_size(); i++) {
        MPIwait(&outgoing[i].request);
    }
}

/* Says to all that this rank has done its part, and waits until all have said so. Messages do not overtake each other:
 * what a rank sent before has come when this returns. */
static void meet(void)
{
    struct mpi_request said[RANKS_MAX], heard[RANKS_MAX];

    for (ptl_id_t rank = 0; rank < mpi_size(); rank++) {
        MPIreceive(&heard[rank], NULL, 0, rank, TAG_GO);
    }
    for (ptl_id_t rank = 0; rank < mpi_size(); rank++) {
        MPIsend(&said[rank], NULL, 0, rank, TAG_GO);
    }
    for (ptl_id_t rank = 0; rank < mpi_size(); rank++) {
        MPIwait(&said[rank]);
        MPIwait(&heard[rank]);
    }
}

/* A receive that names a sender and a tag of which a message is still to come. */
static void receive_named(struct message *message, uint32_t wanted[RANKS_MAX][TAGS])
{
    ptl_id_t rank = random_below(mpi_size());
    uint32_t tag = random_below(TAGS);

    while (wanted[rank][tag] == 0) {
        rank = (rank + 1) % mpi_size();
        tag = rank == 0 ? (tag + 1) % TAGS : tag;
    }
    wanted[rank][tag]--;
    MPIreceive(&message->request, message->octets, LENGTH_MAX, rank, tag);
}

/* A receive of whatever comes. What it takes is known when it is done, and must be before another one is named. */
static void receive_open(struct message *message, uint32_t wanted[RANKS_MAX][TAGS])
{
    MPIreceive(&message->request, message->octets, LENGTH_MAX, MPI_ANY_RANK, MPI_ANY_TAG);
    MPIwait(&message->request);
    wanted[message->request.rank][message->request.tag]--;
}

/* Messages and receives at once: half of the receives among this rank's own sends, the others, some of them open, when
 * all is sent, since an open one waits. */
static void race(void)
{
    uint32_t wanted[RANKS_MAX][TAGS], posted = 0;
    uint32_t total = MESSAGES * mpi_size();

    for (ptl_id_t rank = 0; rank < mpi_size(); rank++) {
        for (uint32_t tag = 0; tag < TAGS; tag++) {
            wanted[rank][tag] = MESSAGES / TAGS;
        }
    }
    for (uint32_t i = 0; i < total; i++) {
        if (random_below(2)) {
            receive_named(&incoming[posted++], wanted);
        }
        send_one(i);
    }
    while (posted < total) {
        (random_below(4) ? receive_named : receive_open)(&incoming[posted++], wanted);
    }
    wait_all();
}

static void run(enum phase phase)
{
    memset(sent, 0, sizeof(sent));
    memset(received, 0, sizeof(received));
    count_expected = count_unexpected[0] = count_unexpected[1] = 0;
    switch (phase) {
    case EXPECTED:
        receive_all();
        meet();
        send_all();
        wait_all();
        break;
    case UNEXPECTED:
        send_all();
        meet();
        receive_all();
        wait_all();
        break;
    case RACE:
        race();
        break;
    }
    printf("rank %u: %s: %u messages in order: %u expected, %u short and %u long unexpected\n", (unsigned)mpi_rank(),
           phase_names[phase], count_expected + count_unexpected[0] + count_unexpected[1], count_expected,
           count_unexpected[0], count_unexpected[1]);
    meet(); /* nobody begins with the next phase while another is in this one */
}

int main(int argc, char **argv)
{
    mpi_open();
    if (argc > 2 || mpi_size() > RANKS_MAX) {
        fprintf(stderr, "mpi: call it as portalsrun -np N mpi [SEED], N at most %d\n", (int)RANKS_MAX);
        mpi_close();
        return 2;
    }
    random_state = (argc == 2 ? strtoull(argv[1], NULL, 0) : 1) * 1000003 + mpi_rank();
    outgoing = calloc((size_t)MESSAGES * mpi_size(), sizeof(*outgoing));
    incoming = calloc((size_t)MESSAGES * mpi_size(), sizeof(*incoming));
    must_hold(outgoing && incoming, "mpi: no memory");
    run(EXPECTED);
    run(UNEXPECTED);
    run(RACE);
    must_hold(mpi_dropped() == 0, "mpi: messages were discarded");
    mpi_close();
    free(outgoing);
    free(incoming);
    return 0;
}

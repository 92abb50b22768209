/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Random traffic: every process sends messages of random length, tag and mode to random processes, and receives what
 * the others send it, from whom it comes or from anybody, with calls that block and that do not. Who sends what to whom
 * follows from the seed, so that each process knows what it must get; messages of one sender under one tag must come in
 * order. Usage: p2p_stress SEED MESSAGES, of each process.
 */
#include "tests/mpi/p2p/p2p.h"

enum { TAGS = 5, WINDOW = 24, LONGEST = 150000, RANKS_MAX = 256 };

static const int limits[] = {0, 8, 300, 2047, 2048, 5000, 66000, LONGEST};

struct random {
    uint64_t state;
};

static uint32_t draw(struct random *r, uint32_t below)
{
    r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((r->state >> 33) % below);
}

/* What one sender sends, one message after the other. */
struct stream {
    struct random random;
    int from, sent;
};

struct message {
    int to, tag, len, mode;
    uint32_t seed;
};

static uint32_t seed;
static int messages;

static struct stream stream_of(int from)
{
    struct stream s = {{seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)from * UINT64_C(0xbf58476d1ce4e5b9)}, from, 0};

    return s;
}

static struct message next(struct stream *s)
{
    struct message m;

    m.to = (int)draw(&s->random, (uint32_t)p2p_size);
    m.tag = (int)draw(&s->random, TAGS);
    m.len = (int)draw(&s->random, (uint32_t)limits[draw(&s->random, 8)] + 1);
    m.mode = (int)draw(&s->random, 4);
    m.seed = (uint32_t)s->from * 1000003u + (uint32_t)s->sent;
    s->sent++;
    return m;
}

/* ---- sending ---------------------------------------------------------------------------------------------------- */

static unsigned char *sending[WINDOW];
static MPI_Request sends[WINDOW];

/* A place for one more message, or -1. Does not wait: who waits here receives nothing, and if all did nobody went on.
 */
static int place_for(void)
{
    MPI_Status status;
    int place, flag;

    for (place = 0; place < WINDOW; place++) {
        if (sends[place] == MPI_REQUEST_NULL) {
            return place;
        }
    }
    MPI_Testany(WINDOW, sends, &place, &flag, &status);
    return flag ? place : -1;
}

static void send_one(struct stream *own)
{
    int place = place_for();
    struct message m;

    if (place < 0) {
        return;
    }
    m = next(own);
    free(sending[place]);
    sending[place] = malloc((size_t)m.len + 1);
    MUST(sending[place], "no memory");
    p2p_fill(sending[place], (size_t)m.len, m.seed);
    if (m.mode == 0) {
        MPI_Issend(sending[place], m.len, MPI_BYTE, m.to, m.tag, MPI_COMM_WORLD, &sends[place]);
    } else {
        MPI_Isend(sending[place], m.len, MPI_BYTE, m.to, m.tag, MPI_COMM_WORLD, &sends[place]);
    }
}

/* ---- receiving -------------------------------------------------------------------------------------------------- */

static unsigned char *receiving[WINDOW];
static MPI_Request receives[WINDOW];
static struct stream expected[RANKS_MAX][TAGS]; /* where in each sender's stream the last of a tag was */

/* The next message of a sender to us under a tag. */
static struct message expect(int from, int tag)
{
    struct stream *s = &expected[from][tag];
    struct message m = {.to = -1};

    while (s->sent < messages && (m.to != p2p_rank || m.tag != tag)) {
        m = next(s);
    }
    MUST(m.to == p2p_rank && m.tag == tag, "rank %d sends no more with tag %d", from, tag);
    return m;
}

static int number_to_come(void)
{
    int number = 0;

    for (int from = 0; from < p2p_size; from++) {
        struct stream s = stream_of(from);

        for (int i = 0; i < messages; i++) {
            number += next(&s).to == p2p_rank;
        }
        for (int tag = 0; tag < TAGS; tag++) {
            expected[from][tag] = stream_of(from);
        }
    }
    return number;
}

static void judge(const unsigned char *octets, const MPI_Status *status)
{
    struct message m = expect(status->MPI_SOURCE, status->MPI_TAG);
    int count;

    MPI_Get_count(status, MPI_BYTE, &count);
    MUST(count == m.len, "%d octets from rank %d with tag %d, not %d", count, status->MPI_SOURCE, m.tag, m.len);
    MUST(p2p_differs(octets, (size_t)m.len, m.seed) == (size_t)m.len, "wrong octets from rank %d", status->MPI_SOURCE);
}

/* Ends the oldest receive, if it is done, or if there is nothing else to do. */
static void end_one(int *ended, bool wait)
{
    int place = *ended % WINDOW, flag = 1;
    MPI_Status status;

    if (wait) {
        MPI_Wait(&receives[place], &status);
    } else {
        MPI_Test(&receives[place], &flag, &status);
    }
    if (flag) {
        judge(receiving[place], &status);
        (*ended)++;
    }
}

static void probe_and_receive(void)
{
    MPI_Status status;

    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Recv(receiving[0], LONGEST, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    judge(receiving[0], &status);
}

/* Receives from anybody come first in their queue, first out: so their order tells the order of the messages. */
static void receive_in_turn(int number, struct stream *own, struct random *whim)
{
    int begun = 0, ended = 0;

    while (ended < number || own->sent < messages) {
        bool room = begun < number && begun - ended < WINDOW, all_sent = own->sent == messages;
        uint32_t what = draw(whim, 3);

        if (what == 0 && !all_sent) {
            send_one(own);
        } else if (what == 1 && room) {
            MPI_Irecv(receiving[begun % WINDOW], LONGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &receives[begun % WINDOW]);
            begun++;
        } else if (ended < begun && (all_sent || draw(whim, 4) == 0)) {
            end_one(&ended, all_sent);
        } else if (begun < number && begun == ended && all_sent) {
            probe_and_receive();
            begun++;
            ended++;
        }
    }
}

//= PUMA-137
//= PUMA-172
//= PUMA-174
//= PUMA-175
int main(int argc, char **argv)
{
    struct random whim;
    struct stream own;
    MPI_Status statuses[WINDOW];

    p2p_begin(&argc, &argv);
    MUST(argc == 3 && p2p_size <= RANKS_MAX, "usage: p2p_stress SEED MESSAGES, with at most %d ranks", RANKS_MAX);
    seed = (uint32_t)strtoul(argv[1], NULL, 10);
    messages = (int)strtol(argv[2], NULL, 10);
    whim.state = seed + (uint64_t)p2p_rank;
    own = stream_of(p2p_rank);
    for (int i = 0; i < WINDOW; i++) {
        sends[i] = receives[i] = MPI_REQUEST_NULL;
        receiving[i] = malloc(LONGEST + 1);
        MUST(receiving[i], "no memory");
    }
    receive_in_turn(number_to_come(), &own, &whim);
    MPI_Waitall(WINDOW, sends, statuses);
    for (int i = 0; i < WINDOW; i++) {
        free(sending[i]);
        free(receiving[i]);
    }
    return p2p_end();
}

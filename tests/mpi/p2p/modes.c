/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Every mode of sending, to a receive that is posted and to one that comes later, of messages short and long, into room
 * that is as large, larger and smaller, with source and tag named and left open: contents, status, and the octets
 * beside them. Between ranks 0 and 1, in both directions, and from rank 0 to itself.
 */
#include "tests/mpi/p2p/p2p.h"

enum { GO = 90, BEHIND = 91, MARGIN = 16, LONGEST = 200000 };
enum mode { STANDARD, SYNCHRONOUS, BUFFERED, READY, MODES };
enum room { EXACT, LARGER, SMALLER, ROOMS };

struct trial {
    enum mode mode;
    int posted; /* the receive is, before the message is sent */
    int len;
    enum room room;
    int any_source, any_tag;
    int from, to;
    uint32_t seed;
};

static unsigned char out[LONGEST], in[LONGEST + 3 * MARGIN], attached[4 * (LONGEST + MPI_BSEND_OVERHEAD)];

static int tag_of(const struct trial *t)
{
    return (int)(t->seed % 1000) + 100;
}

static int room_of(const struct trial *t)
{
    switch (t->room) {
    case LARGER:
        return t->len + MARGIN;
    case SMALLER:
        return t->len / 2;
    default:
        return t->len;
    }
}

static void begin_send(const struct trial *t, MPI_Request *request)
{
    static int (*const sends[MODES])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                     MPI_Request *) = {MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Irsend};

    p2p_fill(out, (size_t)t->len, t->seed);
    MUST(sends[t->mode](out, t->len, MPI_BYTE, t->to, tag_of(t), MPI_COMM_WORLD, request) == MPI_SUCCESS, "mode %d",
         (int)t->mode);
}

static void begin_receive(const struct trial *t, MPI_Request *request)
{
    memset(in, 0xee, sizeof(in));
    MPI_Irecv(in + MARGIN, room_of(t), MPI_BYTE, t->any_source ? MPI_ANY_SOURCE : t->from,
              t->any_tag ? MPI_ANY_TAG : tag_of(t), MPI_COMM_WORLD, request);
}

static void judge(const struct trial *t, int code, const MPI_Status *status)
{
    int room = room_of(t), received = t->len < room ? t->len : room, count;

    MUST(code == (t->len > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "code %d for %d octets into %d", code, t->len, room);
    MUST(status->MPI_SOURCE == t->from, "source is %d", status->MPI_SOURCE);
    MUST(status->MPI_TAG == tag_of(t), "tag is %d", status->MPI_TAG);
    MPI_Get_count(status, MPI_BYTE, &count);
    MUST(count == received, "count is %d, not %d", count, received);
    MUST(p2p_differs(in + MARGIN, (size_t)received, t->seed) == (size_t)received, "wrong octets of %d", t->len);
    for (int i = 0; i < MARGIN; i++) {
        MUST(in[i] == 0xee && in[MARGIN + received + i] == 0xee, "octets beside the message were written");
    }
}

/* The sender tells by an empty message when the other one has been sent, the receiver when it may be sent. */
static void tell(int to, int tag)
{
    MPI_Send(NULL, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static void hear(int from, int tag)
{
    MPI_Status status;

    MPI_Recv(NULL, 0, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
}

static void sender(const struct trial *t)
{
    MPI_Request request;
    MPI_Status status;

    if (t->posted) {
        hear(t->to, GO);
    }
    begin_send(t, &request);
    if (!t->posted) {
        tell(t->to, BEHIND);
    }
    MPI_Wait(&request, &status);
    hear(t->to, GO); /* a buffered message does not wait for anybody, and its buffer is not endless */
}

static void receiver(const struct trial *t)
{
    MPI_Request request;
    MPI_Status status;
    int code, count;

    if (t->posted) {
        begin_receive(t, &request);
        tell(t->from, GO);
    } else {
        hear(t->from, BEHIND);
        MPI_Probe(t->from, tag_of(t), MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        MUST(count == t->len, "probed %d octets, not %d", count, t->len);
        begin_receive(t, &request);
    }
    code = MPI_Wait(&request, &status);
    judge(t, code, &status);
    tell(t->from, GO);
}

static void oneself(const struct trial *t)
{
    MPI_Request receive, send;
    MPI_Status status;
    int code;

    if (t->posted) {
        begin_receive(t, &receive);
        begin_send(t, &send);
    } else {
        begin_send(t, &send);
        begin_receive(t, &receive);
    }
    code = MPI_Wait(&receive, &status);
    judge(t, code, &status);
    MPI_Wait(&send, &status);
}

static void run(const struct trial *t)
{
    if (t->mode == READY && !t->posted) {
        return; /* the standard does not allow it */
    }
    if (t->from == t->to && t->from == p2p_rank) {
        oneself(t);
    } else if (t->from == p2p_rank) {
        sender(t);
    } else if (t->to == p2p_rank) {
        receiver(t);
    }
}

/* All rooms and wildcards for one message. */
//= PUMA-038
//= PUMA-039
//= PUMA-047
//= PUMA-052
//= PUMA-061
//= PUMA-068
//= PUMA-069
//= PUMA-140
//= PUMA-152
//= PUMA-159
//= PUMA-161
//= PUMA-162
//= PUMA-183
static void each_receive(struct trial t)
{
    for (t.room = EXACT; t.room < ROOMS; t.room++) {
        for (int wild = 0; wild < 4; wild++) {
            t.any_source = wild & 1;
            t.any_tag = wild >> 1;
            t.seed++;
            run(&t);
        }
    }
}

//= PUMA-031
//= PUMA-075
//= PUMA-129
static void each_message(int from, int to)
{
    static const int lengths[] = {0, 1, 999, 1000, 1001, 2047, 2048, 2049, 65536, 65537, LONGEST};
    struct trial t = {.from = from, .to = to};

    for (t.mode = STANDARD; t.mode < MODES; t.mode++) {
        for (t.posted = 0; t.posted < 2; t.posted++) {
            for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
                t.len = lengths[i];
                t.seed += 100;
                each_receive(t);
            }
        }
    }
}

int main(int argc, char **argv)
{
    void *buffer;
    int size;

    p2p_begin(&argc, &argv);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Buffer_attach(attached, sizeof(attached));
    each_message(0, 0);
    if (p2p_size > 1) {
        each_message(0, 1);
        each_message(1, 0);
    }
    if (p2p_size > 2) {
        each_message(0, p2p_size - 1);
        each_message(p2p_size - 1, 0);
    }
    MPI_Buffer_detach(&buffer, &size);
    MUST(buffer == attached && size == (int)sizeof(attached), "detached something else");
    return p2p_end();
}

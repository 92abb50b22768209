/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages between two, drawn by lot: each rank sends one to another one and receives one, in one of all modes, of
 * types that are laid out one way here and another way there.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdlib.h>

enum { RANKS = 64, LARGEST = 40000 };

enum mode {
    NONBLOCKING,
    POSTED,
    SYNCHRONOUS,
    BUFFERED,
    AT_ONCE,
    IN_PLACE,
    PERSISTENT,
    READY,
    PROBED,
    AWAITED,
    PACKED,
    UNPACKED,
    CANCELLED,
    NOBODY,
    MODES
};

/* What is exchanged: what goes and whereto, what comes and wherefrom. */
struct pair {
    struct shaped out, in;
    int to, from, tag;
    int from_any, tag_any; /* what the receive says */
};

static void partners(struct step *step, struct pair *pair)
{
    int order[RANKS] = {0};

    for (int i = 0; i < step->size; i++) {
        int other = below(&step->lot, i + 1);

        order[i] = order[other];
        order[other] = i;
    }
    pair->to = order[step->rank];
    for (int i = 0; i < step->size; i++) {
        if (order[i] == step->rank) {
            pair->from = i;
        }
    }
}

static void status_note(const MPI_Status *status, const struct shaped *in)
{
    MPI_Status copy = *status;
    int count, elements;

    MPI_Get_count(&copy, in->type, &count);
    MPI_Get_elements(&copy, in->type, &elements);
    note_number(status->MPI_SOURCE);
    note_number(status->MPI_TAG);
    note_number(count);
    note_number(elements);
}

static void came(const struct pair *pair, const MPI_Status *status)
{
    status_note(status, &pair->in);
    note(pair->in.buffer, pair->in.octets);
}

static void receive(struct step *step, struct pair *pair)
{
    MPI_Status status;

    MPI_Recv(pair->in.buffer, pair->in.count, pair->in.type, pair->from_any, pair->tag_any, step->comm, &status);
    came(pair, &status);
}

static void post(struct step *step, struct pair *pair, MPI_Request *request)
{
    MPI_Irecv(pair->in.buffer, pair->in.count, pair->in.type, pair->from_any, pair->tag_any, step->comm, request);
}

static void finish(struct pair *pair, MPI_Request *request)
{
    MPI_Status status;

    MPI_Wait(request, &status);
    came(pair, &status);
}

static void buffered(struct step *step, struct pair *pair)
{
    struct shaped *out = &pair->out;
    int size;

    MPI_Pack_size(out->count, out->type, step->comm, &size);
    size += MPI_BSEND_OVERHEAD;
    void *room = malloc((size_t)size);
    MPI_Buffer_attach(room, size);
    MPI_Bsend(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm);
    receive(step, pair);
    MPI_Buffer_detach((void *)&room, &size);
    free(room);
}

static void persistent(struct step *step, struct pair *pair)
{
    struct shaped *out = &pair->out, *in = &pair->in;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    MPI_Recv_init(in->buffer, in->count, in->type, pair->from_any, pair->tag, step->comm, &requests[0]);
    MPI_Send_init(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm, &requests[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, statuses);
        came(pair, &statuses[0]);
        MPI_Barrier(step->comm); /* the next message has the same tag */
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

/* Sends, and receives after a probe, which waits or is asked again and again. */
static void probed(struct step *step, struct pair *pair, int waits)
{
    struct shaped *out = &pair->out;
    MPI_Request request;
    MPI_Status status;
    int there = 0;

    MPI_Isend(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm, &request);
    if (waits) {
        MPI_Probe(pair->from_any, pair->tag_any, step->comm, &status);
    }
    while (!waits && !there) {
        MPI_Iprobe(pair->from_any, pair->tag_any, step->comm, &there, &status);
    }
    status_note(&status, &pair->in);
    receive(step, pair);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Octets that were packed, received as what they were; or the other way round. */
static void packed(struct step *step, struct pair *pair, int unpacks)
{
    struct shaped *out = &pair->out, *in = &pair->in;
    int size, at = 0, room;
    MPI_Request request;
    MPI_Status status;

    MPI_Pack_size(out->count, out->type, step->comm, &size);
    MPI_Pack_size(in->count, in->type, step->comm, &room);
    room = room > size ? room : size;
    void *octets = malloc((size_t)size + 1), *others = malloc((size_t)room + 1);
    MPI_Pack(out->buffer, out->count, out->type, octets, size, &at, step->comm);
    MPI_Isend(octets, at, MPI_PACKED, pair->to, pair->tag, step->comm, &request);
    if (unpacks) {
        MPI_Recv(others, room, MPI_PACKED, pair->from_any, pair->tag, step->comm, &status);
        MPI_Get_count(&status, MPI_PACKED, &size);
        at = 0;
        MPI_Unpack(others, size, &at, in->buffer, in->count, in->type, step->comm);
        note_same(at == size, "MPI_Unpack took not all that was packed");
        note(in->buffer, in->octets);
    } else {
        receive(step, pair);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(octets);
    free(others);
}

/* A receive that nothing fits. */
static void cancelled(struct step *step, struct pair *pair)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    MPI_Irecv(pair->in.buffer, pair->in.count, pair->in.type, pair->from, 32100, step->comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    note_same(flag && request == MPI_REQUEST_NULL, "a receive that nothing fits was not cancelled");
    note(pair->in.buffer, pair->in.octets);
}

static void nobody(struct step *step, struct pair *pair)
{
    MPI_Status status;

    MPI_Send(pair->out.buffer, pair->out.count, pair->out.type, MPI_PROC_NULL, 3, step->comm);
    MPI_Recv(pair->in.buffer, pair->in.count, pair->in.type, MPI_PROC_NULL, MPI_ANY_TAG, step->comm, &status);
    note_same(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG, "who sends where nobody is");
    note(pair->in.buffer, pair->in.octets);
}

static void in_place(struct step *step, struct pair *pair)
{
    MPI_Status status;

    MPI_Sendrecv_replace(pair->out.buffer, pair->out.count, pair->out.type, pair->to, pair->tag, pair->from_any,
                         pair->tag, step->comm, &status);
    note(pair->out.buffer, pair->out.octets);
}

static void exchange(struct step *step, struct pair *pair, enum mode mode)
{
    struct shaped *out = &pair->out, *in = &pair->in;
    MPI_Request request;
    MPI_Status status;

    switch (mode) {
    case NONBLOCKING:
        MPI_Isend(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm, &request);
        receive(step, pair);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case POSTED:
        post(step, pair, &request);
        MPI_Send(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm);
        finish(pair, &request);
        break;
    case SYNCHRONOUS:
        MPI_Issend(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm, &request);
        receive(step, pair);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case BUFFERED:
        buffered(step, pair);
        break;
    case AT_ONCE:
        MPI_Sendrecv(out->buffer, out->count, out->type, pair->to, pair->tag, in->buffer, in->count, in->type,
                     pair->from_any, pair->tag_any, step->comm, &status);
        came(pair, &status);
        break;
    case IN_PLACE:
        in_place(step, pair);
        break;
    case PERSISTENT:
        persistent(step, pair);
        break;
    case READY:
        post(step, pair, &request);
        MPI_Barrier(step->comm);
        MPI_Rsend(out->buffer, out->count, out->type, pair->to, pair->tag, step->comm);
        finish(pair, &request);
        break;
    case PROBED:
    case AWAITED:
        probed(step, pair, mode == AWAITED);
        break;
    case PACKED:
    case UNPACKED:
        packed(step, pair, mode == UNPACKED);
        break;
    case CANCELLED:
        cancelled(step, pair);
        break;
    default:
        nobody(step, pair);
        break;
    }
}

void step_messages(struct step *step)
{
    enum mode mode = (enum mode)below(&step->lot, MODES);
    MPI_Datatype basic = shaped_basic(&step->lot);
    int elements = 1 + below(&step->lot, below(&step->lot, 8) ? 20 : 2000);
    int most = LARGEST / elements, wild = below(&step->lot, 4);
    uint64_t numbers = draw(&step->lot), lot;
    struct pair pair = {.tag = step->number % 30000};
    int counts[2];

    if (step->size > RANKS) {
        return;
    }
    partners(step, &pair);
    for (int i = 0; i < 2; i++) { /* what a rank sends: the receiver knows it, and asks for more now and then */
        lot = mix(numbers, (uint64_t)(i == 0 ? step->rank : pair.from));
        counts[i] = below(&lot, below(&lot, 5) ? 12 : most);
        counts[i] = counts[i] < most ? counts[i] : most;
    }
    lot = mix(numbers + 1, mode == IN_PLACE ? 0 : (uint64_t)step->rank);
    pair.out = shaped_make(&lot, basic, elements, mode == IN_PLACE ? most / 2 : counts[0],
                           mix(numbers + 2, (uint64_t)step->rank));
    int more = below(&lot, 2) && mode != UNPACKED; /* there is no unpacking of more than was packed */
    pair.in = shaped_make(&lot, basic, elements, counts[1] + more, 0);
    pair.from_any = wild == 1 ? MPI_ANY_SOURCE : pair.from;
    pair.tag_any = wild == 2 ? MPI_ANY_TAG : pair.tag;
    exchange(step, &pair, mode);
    shaped_free(&pair.out);
    shaped_free(&pair.in);
}

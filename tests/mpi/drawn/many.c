/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Many messages at a time, drawn by lot: all to one, which takes them from any source; and several requests of each
 * rank, completed in every way. In which order they come is not the program's to know, that none is lost or overtaken
 * is.
 */
#include "tests/mpi/drawn/drawn.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 24, RANKS = 64, REQUESTS = 16, LARGEST = 60000 };

/* How many octets a message has: mostly few. */
static int length_of(uint64_t numbers, int source, int number)
{
    uint64_t lot = mix(mix(numbers, (uint64_t)source), (uint64_t)number);

    return 8 + below(&lot, below(&lot, 6) ? 200 : LARGEST);
}

static void fill(unsigned char *octets, int len, int number, uint64_t content)
{
    for (int i = 0; i < len; i++) {
        octets[i] = (unsigned char)draw(&content);
    }
    memcpy(octets, &number, sizeof number);
}

/* All send to one, which receives from whomever. */
static void to_one(struct step *step)
{
    int root = below(&step->lot, step->size), each = 1 + below(&step->lot, MESSAGES);
    int waits = below(&step->lot, 2), tag = step->number % 30000;
    uint64_t numbers = draw(&step->lot), all = 0;
    unsigned char *out[MESSAGES], *in = malloc(LARGEST + 300);
    MPI_Request requests[MESSAGES];
    int next[RANKS] = {0};

    for (int i = 0; i < each; i++) {
        int len = length_of(numbers, step->rank, i);

        out[i] = malloc((size_t)len);
        fill(out[i], len, i, mix(numbers + 1, (uint64_t)(step->rank * MESSAGES + i)));
        MPI_Isend(out[i], len, MPI_BYTE, root, tag, step->comm, &requests[i]);
    }
    for (int i = 0; step->rank == root && i < each * step->size; i++) {
        MPI_Status status;
        int source = MPI_ANY_SOURCE, number, len;

        if (waits) {
            MPI_Probe(MPI_ANY_SOURCE, tag, step->comm, &status);
            source = status.MPI_SOURCE;
        }
        MPI_Recv(in, LARGEST + 300, MPI_BYTE, source, tag, step->comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &len);
        memcpy(&number, in, sizeof number);
        note_same(status.MPI_SOURCE >= 0 && status.MPI_SOURCE < step->size && number == next[status.MPI_SOURCE]++,
                  "a message has overtaken another one of its sender");
        all += mix(digest(in, (size_t)len), (uint64_t)status.MPI_SOURCE);
    }
    MPI_Waitall(each, requests, MPI_STATUSES_IGNORE);
    note(&all, sizeof all);
    for (int i = 0; i < each; i++) {
        free(out[i]);
    }
    free(in);
}

/* Takes account of so many requests that are done. */
static uint64_t done_with(int count, const int *places, MPI_Status *statuses)
{
    uint64_t all = 0;

    for (int i = 0; i < count; i++) {
        int place = places ? places[i] : i, len;

        MPI_Get_count(&statuses[i], MPI_BYTE, &len);
        all += mix(mix((uint64_t)place, (uint64_t)statuses[i].MPI_SOURCE),
                   (uint64_t)len * 65536 + (uint64_t)statuses[i].MPI_TAG);
    }
    return all;
}

/* Completes the receives, in one of the ways that there are. */
static uint64_t complete(int way, int count, MPI_Request *requests)
{
    MPI_Status statuses[REQUESTS];
    int places[REQUESTS], left = count, flag = 0, some = 0;
    uint64_t all = 0;

    switch (way) {
    case 0:
        MPI_Waitall(count, requests, statuses);
        return done_with(count, NULL, statuses);
    case 1:
        while (!flag) {
            MPI_Testall(count, requests, &flag, statuses);
        }
        return done_with(count, NULL, statuses);
    default:
        break;
    }
    while (left > 0) {
        some = 1;
        if (way == 2) {
            MPI_Waitany(count, requests, places, statuses);
        } else if (way == 3) {
            MPI_Testany(count, requests, places, &some, statuses);
        } else if (way == 4) {
            MPI_Waitsome(count, requests, &some, places, statuses);
        } else {
            MPI_Testsome(count, requests, &some, places, statuses);
        }
        all += done_with(some, places, statuses);
        left -= some;
    }
    MPI_Waitany(count, requests, places, statuses);
    note_same(places[0] == MPI_UNDEFINED, "where all requests are done, one is awaited");
    return all;
}

/* Each rank sends to those behind it and receives from those before it, in any order of the receives. */
static void at_once(struct step *step)
{
    int count = 1 + below(&step->lot, REQUESTS), way = below(&step->lot, 6), late = below(&step->lot, 3);
    uint64_t numbers = draw(&step->lot), order = mix(numbers, 1);
    unsigned char *out[REQUESTS], *in[REQUESTS];
    MPI_Request sends[REQUESTS], receives[REQUESTS];

    if (late == 0) {
        MPI_Barrier(step->comm);
    }
    for (int half = 0; half < 2; half++) { /* receives first, or sends */
        for (int i = 0; i < count; i++) {
            int away = i % step->size, to = (step->rank + away) % step->size;
            int from = (step->rank - away + step->size) % step->size;
            int tag = (step->number % 2000) * REQUESTS + i;

            if ((half == 0) == (late != 2)) {
                in[i] = calloc(1, LARGEST + 300);
                MPI_Irecv(in[i], LARGEST + 300, MPI_BYTE, below(&order, 3) ? from : MPI_ANY_SOURCE, tag, step->comm,
                          &receives[i]);
            } else {
                int len = length_of(numbers, step->rank, i);

                out[i] = malloc((size_t)len);
                fill(out[i], len, i, mix(numbers + 1, (uint64_t)(step->rank * REQUESTS + i)));
                MPI_Isend(out[i], len, MPI_BYTE, to, tag, step->comm, &sends[i]);
            }
        }
    }
    uint64_t all = complete(way, count, receives);
    note(&all, sizeof all);
    MPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; i++) {
        note(in[i], LARGEST + 300);
        free(in[i]);
        free(out[i]);
    }
}

void step_many(struct step *step)
{
    if (step->size > RANKS) {
        return;
    }
    if (below(&step->lot, 2)) {
        to_one(step);
    } else {
        at_once(step);
    }
}

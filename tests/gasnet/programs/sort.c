/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sorting by samples: each node draws random numbers, all agree on splitters by puts into node 0 and gets from it, and
 * each sends every other its share as long messages that arrive one behind the other. As a user of GASNet would write
 * it.
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { NUMBERS = 20000, SAMPLES = 32, ROOM = 4 * NUMBERS, RESERVE = 128, RESERVED, LANDED };

/* The segment: samples of all nodes, splitters, what belongs to this node. */
static gasnet_seginfo_t *segment;
static gasnet_node_t me, count;
static unsigned filled, landed, place;
static int reserved;

static unsigned *samples_of(gasnet_node_t node)
{
    return segment[node].addr;
}

static unsigned *share_of(gasnet_node_t node)
{
    return (unsigned *)segment[node].addr + 2 * count * SAMPLES;
}

static int by_value(const void *a, const void *b)
{
    const unsigned one = *(const unsigned *)a, other = *(const unsigned *)b;

    return (one > other) - (one < other);
}

static void reserve(gasnet_token_t token, gasnet_handlerarg_t many)
{
    MUST(gasnet_AMReplyShort1(token, RESERVED, (gasnet_handlerarg_t)filled));
    filled += (unsigned)many;
    HOLDS(filled <= ROOM);
}

static void take_place(gasnet_token_t token, gasnet_handlerarg_t where)
{
    (void)token;
    place = (unsigned)where;
    reserved = 1;
}

static void land(gasnet_token_t token, void *numbers, size_t octets)
{
    (void)token;
    HOLDS((char *)numbers >= (char *)share_of(me));
    landed += (unsigned)(octets / sizeof(unsigned));
}

static void agree(const unsigned *numbers)
{
    unsigned mine[SAMPLES];

    for (int i = 0; i < SAMPLES; i++) {
        mine[i] = numbers[i * (NUMBERS / SAMPLES)];
    }
    gasnet_put(0, samples_of(0) + me * SAMPLES, mine, sizeof(mine));
    barrier_all();
    if (me == 0) {
        qsort(samples_of(0), count * SAMPLES, sizeof(unsigned), by_value);
    }
    barrier_all();
    gasnet_get_bulk(samples_of(me), 0, samples_of(0), count * SAMPLES * sizeof(unsigned));
    barrier_all();
}

static unsigned upper(gasnet_node_t node)
{
    return node + 1 < count ? samples_of(me)[(node + 1) * SAMPLES] : UINT32_MAX;
}

static void distribute(unsigned *numbers)
{
    unsigned at = 0;

    qsort(numbers, NUMBERS, sizeof(*numbers), by_value);
    for (gasnet_node_t node = 0; node < count; node++) {
        unsigned many = 0;

        while (at + many < NUMBERS && (numbers[at + many] < upper(node) || node + 1 == count)) {
            many++;
        }
        reserved = 0;
        MUST(gasnet_AMRequestShort1(node, RESERVE, (gasnet_handlerarg_t)many));
        GASNET_BLOCKUNTIL(reserved);
        MUST(gasnet_AMRequestLong0(node, LANDED, numbers + at, many * sizeof(*numbers), share_of(node) + place));
        at += many;
    }
    HOLDS(at == NUMBERS);
}

static void verify(void)
{
    unsigned *share = share_of(me), *table = calloc(count, 2 * sizeof(unsigned));
    unsigned total = 0;

    HOLDS(table);
    GASNET_BLOCKUNTIL(landed == filled);
    qsort(share, filled, sizeof(*share), by_value);
    barrier_all();
    gasnet_put_val(0, samples_of(0) + 2 * me, filled, 4);
    gasnet_put_val(0, samples_of(0) + 2 * me + 1, filled ? share[0] : 0, 4);
    barrier_all();
    gasnet_get(table, 0, samples_of(0), count * 2 * sizeof(unsigned));
    for (gasnet_node_t node = 0; node < count; node++) {
        total += table[2 * node];
        HOLDS(node <= me || !filled || !table[2 * node] || share[filled - 1] <= table[2 * node + 1]);
    }
    HOLDS(total == NUMBERS * count);
    free(table);
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[] = {
        {RESERVE, (void (*)())reserve}, {RESERVED, (void (*)())take_place}, {LANDED, (void (*)())land}};
    static unsigned numbers[NUMBERS];
    size_t octets;

    MUST(gasnet_init(&argc, &argv));
    me = gasnet_mynode();
    count = gasnet_nodes();
    octets = (2 * count * SAMPLES + ROOM) * sizeof(unsigned);
    MUST(gasnet_attach(table, 3, (octets + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE, 0));
    segment = segments();
    srand(me + 1);
    for (int i = 0; i < NUMBERS; i++) {
        numbers[i] = (unsigned)rand();
    }
    barrier_all();
    agree(numbers);
    distribute(numbers);
    barrier_all();
    verify();
    barrier_all();
    if (me == 0) {
        printf("right: %u numbers\n", NUMBERS * count);
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

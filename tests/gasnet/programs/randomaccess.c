/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Random access: each node changes words all over one table that is spread over all segments, by requests that the
 * owner of a word serves, and does the same again, which must bring the table back; then gets and puts of random
 * lengths at random places, compared with what must be there. randomaccess [UPDATES [SEED]]
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <inttypes.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { WORDS = 1 << 14, XOR = 150, LARGEST = 9000, PARTS = 1 << 20 };

static gasnet_seginfo_t *segment;
static gasnet_node_t me, count;
static uint64_t served, *sent; /* requests: of this node, and for each */

/* Marsaglia's xorshift, with the shifts of his paper's first triple. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void change(gasnet_token_t token, gasnet_handlerarg_t index, gasnet_handlerarg_t high, gasnet_handlerarg_t low)
{
    (void)token;
    ((uint64_t *)segment[me].addr)[index] ^= (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
    served++;
}

/* Waits until all nodes have served what all have sent: the number of each stands behind its table. */
static void quiet(void)
{
    uint64_t expected = 0;

    for (gasnet_node_t node = 0; node < count; node++) {
        gasnet_put(node, (uint64_t *)segment[node].addr + WORDS + me, &sent[node], 8);
    }
    barrier_all();
    for (gasnet_node_t node = 0; node < count; node++) {
        expected += ((volatile uint64_t *)segment[me].addr)[WORDS + node];
    }
    GASNET_BLOCKUNTIL(served == expected);
    barrier_all();
}

static void updates(int many, uint64_t seed)
{
    uint64_t state = seed * 2654435761u + me + 1;

    for (int i = 0; i < many; i++) {
        uint64_t value = next(&state), place = next(&state) % ((uint64_t)count * WORDS);
        gasnet_node_t owner = (gasnet_node_t)(place / WORDS);

        MUST(gasnet_AMRequestShort3(owner, XOR, (int32_t)(place % WORDS), (int32_t)(value >> 32), (int32_t)value));
        sent[owner]++;
    }
    quiet();
}

/* Each node has a part of every segment to itself: it puts there what it likes, and must get that back. */
static void transfers(int many, uint64_t seed)
{
    static unsigned char data[LARGEST], back[LARGEST];
    uint64_t state = seed + 77 * me + 5;
    unsigned char *mirror = calloc(count, PARTS / count);
    size_t part = PARTS / count;

    HOLDS(mirror);
    for (int i = 0; i < many; i++) {
        gasnet_node_t node = (gasnet_node_t)(next(&state) % count);
        size_t octets = (size_t)(next(&state) % (LARGEST < part ? LARGEST : part));
        size_t at = (size_t)(next(&state) % (part - octets));
        char *there = (char *)segment[node].addr + (WORDS + 1024) * 8 + me * part + at;

        if (next(&state) % 2) {
            memset(data, (int)(next(&state) % 256), octets);
            memcpy(mirror + node * part + at, data, octets);
            gasnet_put(node, there, data, octets);
        } else {
            gasnet_get(back, node, there, octets);
            HOLDS(!memcmp(back, mirror + node * part + at, octets));
        }
    }
    free(mirror);
    barrier_all();
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[] = {{XOR, (void (*)())change}};
    uint64_t seed;
    int many;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(table, 1, ((WORDS + 1024) * 8 + PARTS + 4095) / 4096 * 4096, 0));
    many = argc > 1 ? atoi(argv[1]) : 2000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    me = gasnet_mynode();
    count = gasnet_nodes();
    HOLDS(count <= 1024 && many > 0);
    segment = segments();
    sent = calloc(count, sizeof(*sent));
    HOLDS(sent);
    for (unsigned i = 0; i < WORDS; i++) {
        ((uint64_t *)segment[me].addr)[i] = (uint64_t)me * WORDS + i;
    }
    barrier_all();
    updates(many, seed);
    updates(many, seed);
    for (unsigned i = 0; i < WORDS; i++) {
        HOLDS(((uint64_t *)segment[me].addr)[i] == (uint64_t)me * WORDS + i);
    }
    transfers(many / 10 + 1, seed);
    if (me == 0) {
        printf("right: %u nodes, %d updates each, seed %" PRIu64 "\n", count, 2 * many, seed);
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Four threads of each node at once, GASNET_PAR: requests, puts and gets, each with data of its own.
 */
#define GASNET_PAR 1
#include <gasnet.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { THREADS = 4, ROUNDS = 200, ADD = 130, ADDED, PART = 1 << 16 };

static gasnet_seginfo_t *segment;
static gasnet_hsl_t lock = GASNET_HSL_INITIALIZER;
static int sum, back;

static void add(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t more)
{
    HOLDS(octets == 40 && !memcmp(payload, "forty octets, so that there is a payload", 40));
    gasnet_hsl_lock(&lock);
    sum += more;
    gasnet_hsl_unlock(&lock);
    MUST(gasnet_AMReplyShort0(token, ADDED));
}

static void added(gasnet_token_t token)
{
    (void)token;
    gasnet_hsl_lock(&lock);
    back++;
    gasnet_hsl_unlock(&lock);
}

static int has(const int *value)
{
    int now;

    gasnet_hsl_lock(&lock);
    now = *value;
    gasnet_hsl_unlock(&lock);
    return now;
}

//= GASN-039 GASN-042 GASN-068
static void *work(void *argument)
{
    const unsigned thread = *(unsigned *)argument;
    const gasnet_node_t peer = (gasnet_mynode() + 1) % gasnet_nodes();
    char *there = (char *)segment[peer].addr + thread * PART;
    static char text[] = "forty octets, so that there is a payload";
    unsigned char *out = calloc(1, PART), *in = calloc(1, PART);

    HOLDS(out && in);
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t octets = (i * 331 + 1) % PART;

        memset(out, (int)(i + thread), octets);
        gasnet_put_nbi_bulk(peer, there, out, octets);
        MUST(gasnet_AMRequestMedium1(peer, ADD, text, 40, (int)thread + 1));
        gasnet_wait_syncnbi_puts();
        gasnet_get(in, peer, there, octets);
        HOLDS(!memcmp(in, out, octets));
    }
    free(out);
    free(in);
    return NULL;
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[] = {{ADD, (void (*)())add}, {ADDED, (void (*)())added}};
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(table, 2, THREADS * PART, 0));
    segment = segments();
    barrier_all();
    for (unsigned i = 0; i < THREADS; i++) {
        numbers[i] = i;
        HOLDS(!pthread_create(&threads[i], NULL, work, &numbers[i]));
    }
    for (unsigned i = 0; i < THREADS; i++) {
        HOLDS(!pthread_join(threads[i], NULL));
    }
    GASNET_BLOCKUNTIL(has(&back) == THREADS * ROUNDS);
    barrier_all();
    GASNET_BLOCKUNTIL(has(&sum) == ROUNDS * THREADS * (THREADS + 1) / 2);
    if (gasnet_mynode() == 0) {
        printf("right\n");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

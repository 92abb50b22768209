/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Active messages to and fro: node 0 sends node 1 requests, each with a reply, and prints how long one takes there and
 * back. pingpong [ROUNDS]
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { PING = 200, PONG, PING_MEDIUM, PONG_MEDIUM, PING_LONG, PONG_LONG };

static volatile int pongs;
static gasnet_seginfo_t *segment;

static void ping(gasnet_token_t token, gasnet_handlerarg_t round)
{
    MUST(gasnet_AMReplyShort1(token, PONG, round));
}

static void pong(gasnet_token_t token, gasnet_handlerarg_t round)
{
    (void)token;
    HOLDS(round == pongs);
    pongs++;
}

static void ping_medium(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t round)
{
    MUST(gasnet_AMReplyMedium1(token, PONG_MEDIUM, payload, octets, round));
}

static void pong_with_payload(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t round)
{
    (void)token;
    HOLDS(octets == 0 || *(unsigned char *)payload == (unsigned char)round);
    HOLDS(round == pongs);
    pongs++;
}

static void ping_long(gasnet_token_t token, void *payload, size_t octets, gasnet_handlerarg_t round)
{
    MUST(gasnet_AMReplyLong1(token, PONG_LONG, payload, octets, segment[0].addr, round));
}

static gasnet_handlerentry_t handlers[] = {
    {PING, (void (*)())ping},
    {PONG, (void (*)())pong},
    {PING_MEDIUM, (void (*)())ping_medium},
    {PONG_MEDIUM, (void (*)())pong_with_payload},
    {PING_LONG, (void (*)())ping_long},
    {PONG_LONG, (void (*)())pong_with_payload},
};

static void send(int kind, int round, unsigned char *data, size_t octets)
{
    data[0] = (unsigned char)round;
    if (kind == 0) {
        MUST(gasnet_AMRequestShort1(1, PING, round));
    } else if (kind == 1) {
        MUST(gasnet_AMRequestMedium1(1, PING_MEDIUM, data, octets, round));
    } else {
        MUST(gasnet_AMRequestLong1(1, PING_LONG, data, octets, segment[1].addr, round));
    }
}

static void measure(int kind, size_t octets, int rounds)
{
    static const char *const names[] = {"short", "medium", "long"};
    unsigned char *data = calloc(1, octets + 1);
    double start;

    HOLDS(data);
    pongs = 0;
    start = seconds_now();
    for (int i = 0; i < rounds; i++) {
        send(kind, i, data, octets);
        GASNET_BLOCKUNTIL(pongs > i);
    }
    printf("%-6s %8zu octets %8.2f us there and back\n", names[kind], octets, (seconds_now() - start) / rounds * 1e6);
    free(data);
}

int main(int argc, char **argv)
{
    int rounds;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(handlers, 6, 1 << 20, 0));
    rounds = argc > 1 ? atoi(argv[1]) : 1000;
    HOLDS(gasnet_nodes() >= 2 && rounds > 0);
    segment = segments();
    barrier_all();
    if (gasnet_mynode() == 0) {
        measure(0, 0, rounds);
        measure(1, 8, rounds);
        measure(1, gasnet_AMMaxMedium(), rounds);
        measure(2, 8, rounds);
        measure(2, 65536, rounds);
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

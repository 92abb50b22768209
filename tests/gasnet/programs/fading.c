/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Credits come and go: the last node sends node 0 a burst of requests, and then for long one after the other, so that
 * it needs few credits only: fading [BURST [ONE_BY_ONE]]. What GASNET_PORTAL_CREDIT_STATS tells afterwards is for the
 * caller to judge.
 */
#define GASNET_SEQ 1
#include <gasnet.h>

#include "tests/gasnet/programs/must.h"

enum { TAKE = 200, DONE };

static int done;

static void take(gasnet_token_t token)
{
    MUST(gasnet_AMReplyShort0(token, DONE));
}

static void is_done(gasnet_token_t token)
{
    (void)token;
    done++;
}

static gasnet_handlerentry_t handlers[] = {{TAKE, (void (*)())take}, {DONE, (void (*)())is_done}};

int main(int argc, char **argv)
{
    int burst = argc > 1 ? atoi(argv[1]) : 100, one_by_one = argc > 2 ? atoi(argv[2]) : 100;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0));
    barrier_all();
    if (gasnet_mynode() == gasnet_nodes() - 1) {
        for (int i = 0; i < burst; i++) {
            MUST(gasnet_AMRequestShort0(0, TAKE));
        }
        GASNET_BLOCKUNTIL(done == burst);
        for (int i = 1; i <= one_by_one; i++) {
            MUST(gasnet_AMRequestShort0(0, TAKE));
            GASNET_BLOCKUNTIL(done == burst + i);
        }
    }
    barrier_all();
    if (gasnet_mynode() == 0) {
        printf("right\n");
        (void)fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

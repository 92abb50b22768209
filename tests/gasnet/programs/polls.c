/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much one poll does: requests to oneself, of which it handles no more than GASNET_PORTAL_AM_LIMIT says, and of
 * whose replies no more than GASNET_PORTAL_SAFE_LIMIT does.
 */
#define GASNET_SEQ 1
#include <gasnet.h>

#include "tests/gasnet/programs/must.h"

enum { REQUESTS = 24, TAKE = 200, DONE };

static unsigned taken, done;

static void take(gasnet_token_t token)
{
    taken++;
    MUST(gasnet_AMReplyShort0(token, DONE));
}

static void is_done(gasnet_token_t token)
{
    (void)token;
    done++;
}

static gasnet_handlerentry_t handlers[] = {{TAKE, (void (*)())take}, {DONE, (void (*)())is_done}};

static unsigned limit(const char *name, unsigned usual)
{
    const char *text = gasnet_getenv(name);

    return text ? (unsigned)atoi(text) : usual;
}

int main(int argc, char **argv)
{
    const unsigned of_requests = limit("GASNET_PORTAL_AM_LIMIT", 8), of_safe = limit("GASNET_PORTAL_SAFE_LIMIT", 12);
    double begun;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(handlers, 2, GASNET_PAGESIZE, 0));
    barrier_all();
    for (int i = 0; i < REQUESTS; i++) {
        MUST(gasnet_AMRequestShort0(gasnet_mynode(), TAKE));
    }
    for (begun = seconds_now(); seconds_now() < begun + 0.1;) {
        /* what is under way comes, and more than a poll may handle waits */
    }
    while (done < REQUESTS) {
        unsigned taken_before = taken, done_before = done;

        MUST(gasnet_AMPoll());
        HOLDS(taken - taken_before <= of_requests && done - done_before <= of_safe);
    }
    HOLDS(taken == REQUESTS);
    barrier_all();
    if (gasnet_mynode() == 0) {
        printf("right\n");
        (void)fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

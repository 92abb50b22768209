/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the programs share: a call that must succeed, a check that must hold, the time.
 */
#ifndef TESTS_GASNET_PROGRAMS_MUST_H
#define TESTS_GASNET_PROGRAMS_MUST_H

#include <gasnet.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* MUST - ends the job unless the call returns GASNET_OK. */
#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        int must_code = (call);                                                                                        \
        if (must_code != GASNET_OK) {                                                                                  \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, gasnet_ErrorName(must_code));                \
            gasnet_exit(3);                                                                                            \
        }                                                                                                              \
    } while (0)

/* HOLDS - ends the job unless the condition holds. */
#define HOLDS(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: node %u: %s does not hold\n", __FILE__, __LINE__, gasnet_mynode(), #condition);    \
            gasnet_exit(4);                                                                                            \
        }                                                                                                              \
    } while (0)

/* barrier_all - an anonymous barrier. */
static inline void barrier_all(void)
{
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    MUST(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS));
}

/* seconds_now - a clock that only goes on. */
static inline double seconds_now(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* own_segment - where this node's segment is; segments - of all nodes. */
static inline gasnet_seginfo_t *segments(void)
{
    gasnet_seginfo_t *table = calloc(gasnet_nodes(), sizeof(*table));

    HOLDS(table);
    MUST(gasnet_getSegmentInfo(table, (int)gasnet_nodes()));
    return table;
}

#endif

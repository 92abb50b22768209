/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How many octets a second puts and gets move from node 0 to node 1, whose processor does nothing for them: it waits
 * for a word in its own segment that node 0 puts there last. bandwidth [MEGABYTES]
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <sched.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { SEGMENT = 1 << 24, LARGEST = 1 << 22 };

static gasnet_seginfo_t *segment;

static void report(const char *what, size_t octets, int count, double start)
{
    double seconds = seconds_now() - start;

    printf("%-18s %8zu octets %10.1f MB/s %8.2f us\n", what, octets, (double)octets * count / seconds / 1e6,
           seconds / count * 1e6);
}

static void measure(size_t octets, size_t total, char *outside)
{
    int count = (int)(total / octets) < 2000 ? (int)(total / octets) + 1 : 2000;
    char *inside = segment[0].addr, *there = segment[1].addr;
    double start = seconds_now();

    for (int i = 0; i < count; i++) {
        gasnet_put(1, there, inside, octets);
    }
    report("put, waited for", octets, count, start);
    start = seconds_now();
    for (int i = 0; i < count; i++) {
        gasnet_put_nbi_bulk(1, there, outside, octets);
    }
    gasnet_wait_syncnbi_puts();
    report("puts, from outside", octets, count, start);
    start = seconds_now();
    for (int i = 0; i < count; i++) {
        gasnet_get_nbi_bulk(outside, 1, there, octets);
    }
    gasnet_wait_syncnbi_gets();
    report("gets", octets, count, start);
}

int main(int argc, char **argv)
{
    volatile unsigned *done;
    char *outside = calloc(1, LARGEST);
    size_t total;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(NULL, 0, SEGMENT, 0));
    HOLDS(outside && gasnet_nodes() >= 2);
    total = (size_t)(argc > 1 ? atoi(argv[1]) : 16) << 20;
    segment = segments();
    done = (volatile unsigned *)((char *)segment[1].addr + SEGMENT - 4);
    barrier_all();
    if (gasnet_mynode() == 0) {
        for (size_t octets = 8; octets <= LARGEST; octets *= 8) {
            measure(octets, total, outside);
        }
        fflush(stdout);
        gasnet_put_val(1, (void *)(uintptr_t)done, 1, 4);
    } else if (gasnet_mynode() == 1) { //= GASN-101
        while (*done == 0) {
            sched_yield(); /* nothing of GASNet */
        }
    }
    barrier_all();
    free(outside);
    gasnet_exit(0);
}

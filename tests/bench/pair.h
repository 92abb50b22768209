/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Two ranks that compare Portals with the raw medium below it. They talk both ways in turn, round after round, so that
 * both ways meet the same machine: 8 octets there and back, and bursts of 1 MiB messages in one direction. What counts
 * is the ratio of the medians. A program brings the raw way and calls pair_run.
 */
#ifndef TESTS_BENCH_PAIR_H
#define TESTS_BENCH_PAIR_H

#include <stdbool.h>
#include <stddef.h>

/* The two lengths of messages. */
enum { PAIR_SMALL = 8, PAIR_LARGE = 1 << 20 };

/* struct pair_way is a way to talk to the other rank. `say` sends pair_out(length), `hear` blocks until a message of
 * that length stands in pair_in(length). `open` is called once, in both ranks, and may talk through Portals. */
struct pair_way {
    const char *name;
    void (*open)(void);
    void (*say)(size_t length);
    void (*hear)(size_t length);
    void (*close)(void);
};

/* pair_run - measures Portals and `raw`; rank 0 prints. What main returns: 0, or 2 where there are not two ranks, after
 * a line on stderr. Whatever fails on the way ends the process by pair_demand. */
int pair_run(const struct pair_way *raw);

/* pair_rank - of this process: 0 or 1. */
unsigned pair_rank(void);

/* pair_out, pair_in - the memory of what is sent, and of what has come: PAIR_SMALL or PAIR_LARGE octets. */
unsigned char *pair_out(size_t length);
unsigned char *pair_in(size_t length);

/* pair_portals_say, pair_portals_hear - one message through Portals; hearing blocks. */
void pair_portals_say(size_t length);
void pair_portals_hear(size_t length);

/* pair_demand - ends the process with a line that names `what`, unless `good`. */
void pair_demand(bool good, const char *what);

#endif

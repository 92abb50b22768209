/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The ground that a crowd (crowd.h) stands on: the same number of endpoints, as pieces of memory of the same sizes, of
 * which as many lines are read and written in the same order as by a crowd's messages, and nothing else is done. What
 * this costs more among 10,000 endpoints than among 10 is the machine's memory and not Portals.
 *
 * How many lines of what is touched was counted with valgrind's cachegrind: see tests/bench/README.md.
 */
#ifndef TESTS_BENCH_GROUND_H
#define TESTS_BENCH_GROUND_H

#include <stdbool.h>
#include <stdint.h>

/* ground_open lays out the pieces of `count` endpoints, as crowd_open does. Ends the program when memory is short. */
void ground_open(uint32_t count, bool entry_each);

/* ground_round touches what crowd_round touches, ground_wave what crowd_wave touches. */
void ground_round(void);
void ground_wave(void);

/* ground_close frees it. */
void ground_close(void);

#endif

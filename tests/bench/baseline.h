/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The yardstick of traffic.h: the same number of endpoints, as pieces of memory of the same sizes, of which as many
 * lines of the cache are read and written in the same order as by its messages, and nothing else is done. What this
 * costs more among 10,000 endpoints than among 10 is the machine's memory and not Portals.
 *
 * How many lines of what is touched was counted with valgrind's cachegrind.
 */
#ifndef TESTS_BENCH_BASELINE_H
#define TESTS_BENCH_BASELINE_H

#include <stdbool.h>
#include <stdint.h>

/* baseline_open lays out the pieces of `count` endpoints, as traffic_open does. Ends the program when memory is short.
 */
void baseline_open(uint32_t count, bool entry_each);

/* baseline_round touches what traffic_round touches, baseline_wave what traffic_wave touches. */
void baseline_round(void);
void baseline_wave(void);

/* baseline_close frees it. */
void baseline_close(void);

#endif

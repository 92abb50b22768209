/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * System calls and allocations of the library in a program that is linked with COUNTED_WRAP (build.mk).
 */
#ifndef TESTS_BENCH_COUNTED_H
#define TESTS_BENCH_COUNTED_H

/* counted_begin - begins to count.
 * counted_end - says what there was for each of so many messages since: a line `kind rank system-calls allocations`. */
void counted_begin(void);
void counted_end(const char *kind, unsigned rank, unsigned messages);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much memory the program holds: its allocations are counted. A program that links heap.c must be linked with
 * HEAP_WRAP of build.mk.
 */
#ifndef TESTS_BENCH_HEAP_H
#define TESTS_BENCH_HEAP_H

#include <stddef.h>

/* heap_held is the number of octets that are allocated now, as the allocator rounds them. */
size_t heap_held(void);

#endif

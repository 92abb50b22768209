/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much memory the program holds, and how often it takes some: its allocations are counted. A program that links
 * heap.c must be linked with HEAP_WRAP of tests/bench/build.mk.
 */
#ifndef TESTS_UNIT_HEAP_H
#define TESTS_UNIT_HEAP_H

#include <stddef.h>

/* heap_held is the number of octets that are allocated now, as the allocator rounds them. */
size_t heap_held(void);

/* heap_taken is how often memory was allocated or made larger since the program began. */
size_t heap_taken(void);

#endif

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Loads the hand-written vectors of wire/vectors/ for the tests.
 */
#ifndef TESTS_UNIT_VECTOR_H
#define TESTS_UNIT_VECTOR_H

#include <stddef.h>

enum {
    VECTOR_OCTETS_MAX = 4096,
    VECTOR_EXPECT_MAX = 32,
};

/* One vector file. */
struct vector {
    char name[256];                 /* of the file, without folder and ending */
    char expect[VECTOR_EXPECT_MAX]; /* what its first line `# expect: NAME` says, or empty */
    size_t len;
    unsigned char octets[VECTOR_OCTETS_MAX];
};

/* vector_load - reads the file at `path`. Prints what is wrong and exits 2 when it cannot: no test makes sense then. */
void vector_load(const char *path, struct vector *vector);

/* vector_each - calls `visit` with every vector of a folder, in the order of names; exits 2 when there is none. */
void vector_each(const char *folder, void (*visit)(const struct vector *vector));

#endif

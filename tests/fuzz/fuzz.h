/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput, linked with libFuzzer; it states by
 * FUZZ_DEMAND what must hold for any input at all.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* FUZZ_DEMAND - ends the run with the place and the condition when it does not hold; libFuzzer keeps the input. */
#define FUZZ_DEMAND(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                             \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* LLVMFuzzerTestOneInput - runs one input of `size` octets; returns 0. Called by libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

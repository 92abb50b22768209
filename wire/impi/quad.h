/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The long double of external32: 16 octets of IEEE 754 binary128, that is a sign, 15 bits of exponent with a bias of
 * 16383 and 112 bits of fraction. Used by wire/impi/external32.c alone.
 */
#ifndef WIRE_IMPI_QUAD_H
#define WIRE_IMPI_QUAD_H

#include <stdint.h>

/* A number of 128 bits: `high` begins with the sign. */
struct wire_quad {
    uint64_t high;
    uint64_t low;
};

/* wire_quad_of - the long double of this machine that stands at `native`, as a quad; exact. */
struct wire_quad wire_quad_of(const void *native);

/* wire_quad_to - writes the quad to `native` as a long double of this machine: rounded to the nearest, on a tie to the
 * even one; infinite where it is too large, zero where it is too small. A NaN stays one. */
void wire_quad_to(struct wire_quad quad, void *native);

#endif

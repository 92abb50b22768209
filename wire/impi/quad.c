/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A machine's long double as IEEE binary128 and back (external32, 1.2.2 of the IMPI 0.0 document). A long double is one
 * of three things, told apart by the bits of its significand: the 80 bits of x87, binary128 itself, or a double.
 * Works on bits, so that NaN, signed zero and denormal numbers come through.
 */
#include "wire/impi/quad.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

enum {
    QUAD_BIAS = 16383,
    QUAD_SPECIAL = 0x7fff, /* the exponent of infinities and NaN */
    HIGH_BITS = 48,        /* of the fraction in `high` */
    X87_DROPPED = 49,      /* bits of a quad's fraction that x87 does not have */
    DOUBLE_BITS = 52,      /* of a double's fraction */
    DOUBLE_DROPPED = 60,
    DOUBLE_BIAS = 1023,
    DOUBLE_SPECIAL = 0x7ff,
};

#define SIGN          ((uint64_t)1 << 63)
#define BIT(n)        ((uint64_t)1 << (n))
#define MASK(n)       (BIT(n) - 1)
#define HIGH_FRACTION MASK(HIGH_BITS)

static unsigned exponent_of(struct wire_quad quad)
{
    return quad.high >> HIGH_BITS & QUAD_SPECIAL;
}

static bool is_nan(struct wire_quad quad)
{
    return exponent_of(quad) == QUAD_SPECIAL && ((quad.high & HIGH_FRACTION) || quad.low);
}

/* x87: 64 bits with the integer bit written out, then sign and exponent with the same bias as a quad's. */

static struct wire_quad quad_of_x87(const unsigned char *native)
{
    struct wire_quad quad = {0, 0};
    uint64_t significand;
    uint16_t top;
    uint64_t exponent;

    memcpy(&significand, native, sizeof significand);
    memcpy(&top, native + sizeof significand, sizeof top);
    exponent = top & QUAD_SPECIAL;
    if (exponent == 0 && significand & BIT(63)) {
        exponent = 1;
    } else if (exponent != 0 && !(significand & BIT(63))) {
        exponent = QUAD_SPECIAL; /* no number at all to the processor: NaN */
        significand = BIT(62);
    }
    significand &= MASK(63);
    quad.high = (uint64_t)(top >> 15) << 63 | exponent << HIGH_BITS | significand >> (63 - HIGH_BITS);
    quad.low = significand << X87_DROPPED;
    return quad;
}

static void quad_to_x87(struct wire_quad quad, unsigned char *native)
{
    uint64_t fraction = (quad.high & HIGH_FRACTION) << (63 - HIGH_BITS) | quad.low >> X87_DROPPED;
    uint64_t rest = quad.low & MASK(X87_DROPPED);
    unsigned exponent = exponent_of(quad);
    uint16_t top;

    if (is_nan(quad)) {
        fraction |= BIT(62);
    } else if (exponent != QUAD_SPECIAL) {
        fraction += rest > BIT(X87_DROPPED - 1) || (rest == BIT(X87_DROPPED - 1) && fraction & 1);
        exponent += (unsigned)(fraction >> 63);
        fraction &= MASK(63);
    }
    fraction |= exponent ? BIT(63) : 0;
    top = (uint16_t)((quad.high >> 63) << 15 | exponent);
    memcpy(native, &fraction, sizeof fraction);
    memcpy(native + sizeof fraction, &top, sizeof top);
}

/* A long double that is no more than a double. */

static struct wire_quad quad_of_double(const void *native)
{
    struct wire_quad quad;
    uint64_t bits;
    uint64_t fraction;
    unsigned exponent;

    memcpy(&bits, native, sizeof bits);
    fraction = bits & MASK(DOUBLE_BITS);
    exponent = bits >> DOUBLE_BITS & DOUBLE_SPECIAL;
    if (exponent == DOUBLE_SPECIAL) {
        exponent = QUAD_SPECIAL;
    } else if (exponent) {
        exponent += QUAD_BIAS - DOUBLE_BIAS;
    } else if (fraction) {
        exponent = QUAD_BIAS - DOUBLE_BIAS + 1;
        while (!(fraction & BIT(DOUBLE_BITS))) {
            fraction <<= 1;
            exponent--;
        }
        fraction &= MASK(DOUBLE_BITS);
    }
    quad.high = (bits & SIGN) | (uint64_t)exponent << HIGH_BITS | fraction >> (DOUBLE_BITS - HIGH_BITS);
    quad.low = fraction << DOUBLE_DROPPED;
    return quad;
}

/* The 113 bits in high and low without the last `count` of them, rounded; count is 60 to 114. */
static uint64_t shift_rounded(uint64_t high, uint64_t low, unsigned count)
{
    uint64_t kept, rest, half;
    bool more = false;

    if (count < 64) {
        kept = high << (64 - count) | low >> count;
        rest = low & MASK(count);
        half = BIT(count - 1);
    } else if (count == 64) {
        kept = high;
        rest = low;
        half = BIT(63);
    } else {
        kept = high >> (count - 64);
        rest = high & MASK(count - 64);
        half = BIT(count - 65);
        more = low != 0;
    }
    return kept + (rest > half || (rest == half && (more || kept & 1)));
}

static void quad_to_double(struct wire_quad quad, void *native)
{
    const int least = QUAD_BIAS - DOUBLE_BIAS + 1; /* of normal doubles */
    int exponent = (int)exponent_of(quad);
    uint64_t high = (quad.high & HIGH_FRACTION) | BIT(HIGH_BITS);
    uint64_t bits = 0;

    if (is_nan(quad)) {
        bits = (uint64_t)DOUBLE_SPECIAL << DOUBLE_BITS | BIT(DOUBLE_BITS - 1) |
               (quad.high & HIGH_FRACTION) << (DOUBLE_BITS - HIGH_BITS) | quad.low >> DOUBLE_DROPPED;
    } else if (exponent >= least + DOUBLE_SPECIAL - 1) {
        bits = (uint64_t)DOUBLE_SPECIAL << DOUBLE_BITS;
    } else if (exponent >= least) {
        /* the integer bit adds one to the exponent, and a carry out of the fraction another one */
        bits = ((uint64_t)(exponent - least) << DOUBLE_BITS) + shift_rounded(high, quad.low, DOUBLE_DROPPED);
    } else if (exponent > least - DOUBLE_BITS - 2) {
        bits = shift_rounded(high, quad.low, (unsigned)(DOUBLE_DROPPED + least - exponent));
    }
    bits |= quad.high & SIGN;
    memcpy(native, &bits, sizeof bits);
}

/* binary128 itself: two halves, of which the lower comes first in a machine's memory where low octets do. */

static bool low_octet_first(void)
{
    const uint16_t one = 1;
    unsigned char first;

    memcpy(&first, &one, sizeof first);
    return first == 1;
}

static struct wire_quad quad_of_quad(const unsigned char *native)
{
    uint64_t halves[2];

    memcpy(halves, native, sizeof halves);
    return low_octet_first() ? (struct wire_quad){halves[1], halves[0]} : (struct wire_quad){halves[0], halves[1]};
}

static void quad_to_quad(struct wire_quad quad, unsigned char *native)
{
    uint64_t halves[2] = {quad.high, quad.low};

    if (low_octet_first()) {
        halves[0] = quad.low;
        halves[1] = quad.high;
    }
    memcpy(native, halves, sizeof halves);
}

_Static_assert(LDBL_MANT_DIG == 64 || LDBL_MANT_DIG == 113 || LDBL_MANT_DIG == 53,
               "a long double is x87's, binary128 or a double");

struct wire_quad wire_quad_of(const void *native)
{
    if (LDBL_MANT_DIG == 64) {
        return quad_of_x87(native);
    }
    return LDBL_MANT_DIG == 113 ? quad_of_quad(native) : quad_of_double(native);
}

void wire_quad_to(struct wire_quad quad, void *native)
{
    if (LDBL_MANT_DIG == 64) {
        quad_to_x87(quad, native);
    } else if (LDBL_MANT_DIG == 113) {
        quad_to_quad(quad, native);
    } else {
        quad_to_double(quad, native);
    }
}

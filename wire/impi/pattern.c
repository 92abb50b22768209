/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The patterns of collective operations (wire/impi/pattern.h).
 */
#include "wire/impi/pattern.h"

uint32_t wire_impi_pattern_forms(uint32_t masters, int64_t limit)
{
    uint32_t linear = UINT32_C(1) << WIRE_IMPI_LINEAR, tree = UINT32_C(1) << WIRE_IMPI_TREE;

    //= IMPI-214
    //= IMPI-215
    if (limit < 0 || masters == limit) {
        return linear | tree;
    }
    return masters < limit ? linear : tree;
}

static uint32_t without_highest(uint32_t place)
{
    uint32_t bit = UINT32_C(1) << 31;

    while (bit && !(place & bit)) {
        bit >>= 1;
    }
    return place & ~bit;
}

uint32_t wire_impi_pattern_parent(enum wire_impi_pattern pattern, enum wire_impi_form form, uint32_t place)
{
    if (form == WIRE_IMPI_LINEAR || place == 0) {
        return 0;
    }
    return pattern == WIRE_IMPI_REDUCE ? place & (place - 1) : without_highest(place);
}

/* Whether the place sends to its parent: not when it is the root's. */
static bool goes_up(enum wire_impi_pattern pattern, enum wire_impi_form form, uint32_t from, uint32_t to)
{
    return from != 0 && wire_impi_pattern_parent(pattern, form, from) == to;
}

uint32_t wire_impi_pattern_roots(enum wire_impi_pattern pattern, enum wire_impi_form form, uint32_t masters,
                                 uint32_t from, uint32_t to)
{
    uint32_t roots = 0;

    if (pattern == WIRE_IMPI_BARRIER) {
        return goes_up(pattern, form, from, to) || goes_up(pattern, form, to, from);
    }
    for (uint32_t root = 0; root < masters; root++) {
        uint32_t upper = (from + masters - root) % masters, lower = (to + masters - root) % masters;
        bool fits =
            pattern == WIRE_IMPI_BCAST ? goes_up(pattern, form, lower, upper) : goes_up(pattern, form, upper, lower);

        roots |= fits ? UINT32_C(1) << root : 0;
    }
    return roots;
}

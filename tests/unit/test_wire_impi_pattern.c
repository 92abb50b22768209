/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who sends to whom in a Barrier, a Bcast and a Reduce, against tables written by hand from chapter 4 of the IMPI
 * document.
 */
#include "tests/unit/tap.h"
#include "wire/impi/pattern.h"

enum { LINEAR = 1 << WIRE_IMPI_LINEAR, TREE = 1 << WIRE_IMPI_TREE };

static void forms(void)
{
    CHECK_EQ(wire_impi_pattern_forms(3, 4), LINEAR, "fewer than the limit");
    CHECK_EQ(wire_impi_pattern_forms(4, 4), LINEAR | TREE, "as many as the limit: the text allows both");
    CHECK_EQ(wire_impi_pattern_forms(5, 4), TREE, "more than the limit");
    CHECK_EQ(wire_impi_pattern_forms(1, 0), TREE, "a limit of 0");
    CHECK_EQ(wire_impi_pattern_forms(9, -1), LINEAR | TREE, "a limit that nobody knows");
}

static void parents(void)
{
    static const uint32_t without_highest[] = {0, 0, 0, 1, 0, 1, 2, 3, 0, 1},
                          without_lowest[] = {0, 0, 0, 2, 0, 4, 4, 6, 0, 8};

    for (uint32_t place = 0; place < 10; place++) {
        CHECK_EQ(wire_impi_pattern_parent(WIRE_IMPI_BARRIER, WIRE_IMPI_TREE, place), without_highest[place], "Barrier");
        CHECK_EQ(wire_impi_pattern_parent(WIRE_IMPI_BCAST, WIRE_IMPI_TREE, place), without_highest[place], "Bcast");
        CHECK_EQ(wire_impi_pattern_parent(WIRE_IMPI_REDUCE, WIRE_IMPI_TREE, place), without_lowest[place], "Reduce");
        CHECK_EQ(wire_impi_pattern_parent(WIRE_IMPI_REDUCE, WIRE_IMPI_LINEAR, place), 0, "in lines");
    }
    CHECK_EQ(wire_impi_pattern_parent(WIRE_IMPI_BCAST, WIRE_IMPI_TREE, UINT32_C(0x80000001)), 1, "the highest bit");
}

static void roots(void)
{
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BCAST, WIRE_IMPI_LINEAR, 3, 2, 0), 1U << 2, "who sends is the root");
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_REDUCE, WIRE_IMPI_LINEAR, 3, 2, 0), 1U << 0, "who receives is");
    /* 3 sends to 5 of 6: as places 0 to 2 of root 3, and as 1 to 3 of root 2 */
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BCAST, WIRE_IMPI_TREE, 6, 3, 5), 1U << 3 | 1U << 2, "of a tree");
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BCAST, WIRE_IMPI_TREE, 6, 0, 3), 0, "no tree goes on by three");
    /* 3 sends to 2 of 6: as 1 to 0 of root 2, 3 to 2 of root 0, 5 to 4 of root 4 */
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_REDUCE, WIRE_IMPI_TREE, 6, 3, 2), 1U << 2 | 1U << 0 | 1U << 4,
             "upwards");
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BARRIER, WIRE_IMPI_TREE, 6, 1, 5), 1, "down");
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BARRIER, WIRE_IMPI_TREE, 6, 5, 1), 1, "and up");
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BARRIER, WIRE_IMPI_TREE, 6, 3, 0), 0, "past a step");
    CHECK_EQ(wire_impi_pattern_roots(WIRE_IMPI_BARRIER, WIRE_IMPI_LINEAR, 6, 3, 0), 1, "in lines");
}

int main(void)
{
    TAP_RUN(forms);
    TAP_RUN(parents);
    TAP_RUN(roots);
    return tap_done();
}

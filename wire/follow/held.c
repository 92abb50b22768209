/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Octets that are held back (wire/follow/held.h).
 */
#include "wire/follow/held.h"

size_t wire_held_take(struct wire_held *held, unsigned side, const unsigned char *octets, size_t len, uint64_t packet)
{
    size_t used = 0;

    while (used < len && held->len[side] < WIRE_HELD_MAX) {
        held->octets[side][held->len[side]] = octets[used++];
        held->packets[side][held->len[side]++] = packet;
    }
    return used;
}

bool wire_held_next(struct wire_held *held, bool first, struct wire_held_piece *piece)
{
    bool left[2] = {held->given[0] < held->len[0], held->given[1] < held->len[1]};
    bool second =
        left[1] && (!left[0] || (!first && held->packets[1][held->given[1]] < held->packets[0][held->given[0]]));
    unsigned side = second ? 1 : 0;
    size_t from = held->given[side];

    if (!left[0] && !left[1]) {
        return false;
    }
    while (held->given[side] < held->len[side] && held->packets[side][held->given[side]] == held->packets[side][from]) {
        held->given[side]++;
    }
    *piece =
        (struct wire_held_piece){side, held->octets[side] + from, held->given[side] - from, held->packets[side][from]};
    return true;
}

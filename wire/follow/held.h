/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The first octets of both sides of a connection, and the packets with which they came: held back until they tell what
 * the connection is. A part of wire/follow/examine_impi.c.
 */
#ifndef WIRE_FOLLOW_HELD_H
#define WIRE_FOLLOW_HELD_H

#include "wire/impi/packet.h"

enum { WIRE_HELD_MAX = WIRE_IMPI_RANK_OCTETS + WIRE_IMPI_PACKET_OCTETS };

/* By side. All zero at first. */
struct wire_held {
    unsigned char octets[2][WIRE_HELD_MAX];
    uint64_t packets[2][WIRE_HELD_MAX];
    size_t len[2], given[2];
};

/* Octets of a side that came with one packet. */
struct wire_held_piece {
    unsigned side;
    const unsigned char *octets;
    size_t len;
    uint64_t packet;
};

/* wire_held_take - keeps octets of a side as far as there is room; the number of those kept. */
size_t wire_held_take(struct wire_held *held, unsigned side, const unsigned char *octets, size_t len, uint64_t packet);

/* wire_held_next - gives the next piece, in the order of the packets; false: that were all. `first`: all of side 0
 * before any of side 1, whatever the packets say. */
bool wire_held_next(struct wire_held *held, bool first, struct wire_held_piece *piece);

#endif

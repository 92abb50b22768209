/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The options of TCP by which it spreads a stream over several paths (wire/follow/path.h): RFC 8684, 3.2 and 3.3.
 */
#include "wire/follow/path.h"

enum {
    HEADER = 20,
    FLAGS = 13,
    KIND_END = 0,
    KIND_PAD = 1,
    KIND_PATHS = 30,
    FORM_JOIN = 1,
    FORM_SEQUENCE = 2,
    HAS_ACK = 0x01,
    LONG_ACK = 0x02,
    HAS_PLACE = 0x04,
    LONG_PLACE = 0x08,
    HAS_END = 0x10,
};

static uint32_t number_at(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The lower half of a number that has four octets, or eight. */
static const unsigned char *lower(const unsigned char *at, bool is_long, uint32_t *number)
{
    *number = number_at(at + (is_long ? 4 : 0));
    return at + (is_long ? 8 : 4);
}

/* A data sequence signal of `len` octets: how far the other side has got, and where these octets belong. */
static void take_signal(const unsigned char *option, size_t len, bool data, struct wire_path *path)
{
    unsigned flags = option[3];
    size_t ack = !(flags & HAS_ACK) ? 0 : flags & LONG_ACK ? 8 : 4;
    size_t place = !(flags & HAS_PLACE) ? 0 : flags & LONG_PLACE ? 8 : 4;
    const unsigned char *at = option + 4;
    uint32_t first, covered;

    if (len < 4 + ack + (place ? place + 6 : 0)) {
        return;
    }
    path->acknowledges = ack != 0;
    if (ack) {
        at = lower(at, flags & LONG_ACK, &path->acked);
    }
    if (place) {
        at = lower(at, flags & LONG_PLACE, &first);
        covered = (uint32_t)at[4] << 8 | at[5];
        path->placed = data;
        path->shift = first - number_at(at);
        path->ends = flags & HAS_END;
        path->end = first + covered - 1;
    }
}

struct wire_path wire_path_of(const unsigned char *tcp, size_t header, bool data)
{
    struct wire_path path = {.opens = false};
    size_t at = HEADER;

    while (at < header && tcp[at] != KIND_END) {
        size_t len = tcp[at] == KIND_PAD || at + 1 == header ? 1 : tcp[at + 1];

        if (len == 0 || len > header - at) {
            break;
        }
        if (tcp[at] == KIND_PATHS && len >= 4) {
            if (tcp[at + 2] >> 4 == FORM_JOIN) {
                path.opens = tcp[FLAGS] & WIRE_TCP_SYN;
            } else if (tcp[at + 2] >> 4 == FORM_SEQUENCE) {
                take_signal(tcp + at, len, data, &path);
            }
        }
        at += len;
    }
    return path;
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The CRC by tables, eight octets at a time. Entry i of row k is what the four bits of i leave in the register with the
 * reflected polynomial edb88320 when k more groups of four bits are shifted in behind them. The CRC is linear: what a
 * group leaves is the sum of what its bits leave, and all groups of eight octets can be looked up at once.
 */
#include "wire/intercept/crc32.h"

enum { STEP_OCTETS = 8, GROUPS = 2 * STEP_OCTETS };

/* clang-format off */

/* What each of four bits leaves, the lowest first; and what all their sums leave. */
#define SUMS(of, a, b)  (of), (of) ^ (a), (of) ^ (b), (of) ^ (a) ^ (b)
#define ROW(a, b, c, d) {SUMS(0, a, b), SUMS(c, a, b), SUMS(d, a, b), SUMS((c) ^ (d), a, b)}

/* Read from the end of a line to its beginning, and on with the line below, each number is the one before it shifted
 * once more; the first one is the polynomial. 1 KiB stays in the cache beside what is summed. */
static const uint32_t table[GROUPS][16] = {
    ROW(0x1db71064U, 0x3b6e20c8U, 0x76dc4190U, 0xedb88320U), ROW(0x77073096U, 0xee0e612cU, 0x076dc419U, 0x0edb8832U),
    ROW(0x4ac21251U, 0x958424a2U, 0xf0794f05U, 0x3b83984bU), ROW(0x191b3141U, 0x32366282U, 0x646cc504U, 0xc8d98a08U),
    ROW(0x1c26a370U, 0x384d46e0U, 0x709a8dc0U, 0xe1351b80U), ROW(0x01c26a37U, 0x0384d46eU, 0x0709a8dcU, 0x0e1351b8U),
    ROW(0x5019579fU, 0xa032af3eU, 0x9b14583dU, 0xed59b63bU), ROW(0xb8bc6765U, 0xaa09c88bU, 0x8f629757U, 0xc5b428efU),
    ROW(0x60e09782U, 0xc1c12f04U, 0x58f35849U, 0xb1e6b092U), ROW(0x3d6029b0U, 0x7ac05360U, 0xf580a6c0U, 0x30704bc1U),
    ROW(0x03d6029bU, 0x07ac0536U, 0x0f580a6cU, 0x1eb014d8U), ROW(0xcb5cd3a5U, 0x4dc8a10bU, 0x9b914216U, 0xec53826dU),
    ROW(0x67de9cceU, 0xcfbd399cU, 0x440b7579U, 0x8816eaf2U), ROW(0xa6770bb4U, 0x979f1129U, 0xf44f2413U, 0x33ef4e67U),
    ROW(0x7cbb312bU, 0xf9766256U, 0x299dc2edU, 0x533b85daU), ROW(0xccaa009eU, 0x4225077dU, 0x844a0efaU, 0xd3e51bb5U),
};
/* clang-format on */

/* What a group leaves, behind which all later ones of the eight octets are shifted in. */
#define LEFT(group) table[GROUPS - 1 - (group)][groups >> (4 * (group)) & 15]

/* Eight octets as a number, the first one lowest: its bits are the next ones. */
static uint64_t octets_next(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

//= ICPT-005
uint32_t wire_intercept_crc32(uint32_t before, const void *octets, size_t len)
{
    const unsigned char *at = octets;
    uint32_t crc = ~before;

    for (; len >= STEP_OCTETS; len -= STEP_OCTETS, at += STEP_OCTETS) {
        uint64_t groups = octets_next(at) ^ crc;

        crc = LEFT(0) ^ LEFT(1) ^ LEFT(2) ^ LEFT(3) ^ LEFT(4) ^ LEFT(5) ^ LEFT(6) ^ LEFT(7) ^ LEFT(8) ^ LEFT(9) ^
              LEFT(10) ^ LEFT(11) ^ LEFT(12) ^ LEFT(13) ^ LEFT(14) ^ LEFT(15);
    }
    for (size_t i = 0; i < len; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ table[0][crc & 15];
        crc = crc >> 4 ^ table[0][crc & 15];
    }
    return ~crc;
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The CRC by table, half an octet at a time: entry i is what the four bits of i, shifted through the register, leave in
 * it with the reflected polynomial edb88320. The compiler makes the table from the polynomial.
 */
#include "wire/intercept/crc32.h"

#define POLYNOMIAL UINT32_C(0xedb88320)

/* clang-format off */
#define STEP(c)  ((c) & 1 ? (c) >> 1 ^ POLYNOMIAL : (c) >> 1)
#define NIBBLE(i) [i] = STEP(STEP(STEP(STEP(UINT32_C(i)))))

/* Four bits at a time: sixteen entries stay in one line of the cache. */
static const uint32_t table[16] = {
    NIBBLE(0), NIBBLE(1), NIBBLE(2),  NIBBLE(3),  NIBBLE(4),  NIBBLE(5),  NIBBLE(6),  NIBBLE(7),
    NIBBLE(8), NIBBLE(9), NIBBLE(10), NIBBLE(11), NIBBLE(12), NIBBLE(13), NIBBLE(14), NIBBLE(15),
};
/* clang-format on */

//= ICPT-005
uint32_t wire_intercept_crc32(uint32_t before, const void *octets, size_t len)
{
    const unsigned char *at = octets;
    uint32_t crc = ~before;

    for (size_t i = 0; i < len; i++) {
        crc ^= at[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

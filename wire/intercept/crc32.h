/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * CRC-32 of IEEE 802.3, which stands behind every frame of the Intercept network (specs/intercept-wire.md, 3.2).
 */
#ifndef WIRE_INTERCEPT_CRC32_H
#define WIRE_INTERCEPT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* wire_intercept_crc32 - the CRC of `len` octets. `before` is 0, or the CRC of the octets that stand before them: so a
 * switch computes it while octets pass. `octets` may be NULL when `len` is 0. */
uint32_t wire_intercept_crc32(uint32_t before, const void *octets, size_t len);

#endif

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A hash with a key, for tables whose entries outsiders choose: who does not know the key cannot choose entries that
 * fall on one place, so that no capture and no peer can make every look-up a walk through the whole table.
 */
#ifndef WIRE_OCTETS_KEYED_HASH_H
#define WIRE_OCTETS_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

/* wire_keyed_hash - SipHash-2-4 of `count` words, which it reads as eight octets each, least significant first. `key`
 * is 16 random octets as two words. Pure. */
uint64_t wire_keyed_hash(const uint64_t key[2], const uint64_t *words, size_t count);

#endif

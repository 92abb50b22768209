/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Merkle trees as in RFC 9162, section 2.1, over SHA-256: one hash stands for a list that only grows, and a short path
 * shows that an entry is in it.
 */
#ifndef TESTER_REPORT_MERKLE_H
#define TESTER_REPORT_MERKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MERKLE_OCTETS = 32, MERKLE_PATH_MAX = 64 };

/* One hash: of an entry, or of a part of the tree. */
struct merkle_hash {
    unsigned char octets[MERKLE_OCTETS];
};

/* merkle_leaf gives the hash of an entry. */
struct merkle_hash merkle_leaf(const void *entry, size_t len);

/* merkle_root gives the hash of a list of `count` leaves. */
struct merkle_hash merkle_root(const struct merkle_hash *leaves, size_t count);

/* merkle_path writes the hashes by which the leaf at `index`, less than `count`, leads to the root, and gives how many
 * they are. */
size_t merkle_path(const struct merkle_hash *leaves, size_t count, size_t index,
                   struct merkle_hash path[static MERKLE_PATH_MAX]);

/* merkle_is_in tells whether the path leads from that leaf, at `index` of `count`, to the root. */
bool merkle_is_in(const struct merkle_hash *root, uint64_t count, const struct merkle_hash *leaf, uint64_t index,
                  const struct merkle_hash *path, size_t path_count);

/* merkle_growth writes the hashes that show that a list of `count` leaves begins with its first `before`, at least one
 * and at most all, and gives how many they are (RFC 9162, section 2.1.4.1). */
size_t merkle_growth(const struct merkle_hash *leaves, size_t count, size_t before,
                     struct merkle_hash path[static MERKLE_PATH_MAX]);

#endif

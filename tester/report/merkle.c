/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A leaf is hashed behind an octet 0, two parts behind an octet 1, so that neither can be taken for the other. A list
 * of more than one leaf is parted at the largest power of two below its length.
 */
#include "tester/report/merkle.h"

#include <sodium.h>
#include <string.h>

_Static_assert((int)MERKLE_OCTETS == (int)crypto_hash_sha256_BYTES, "size of a SHA-256");

static struct merkle_hash hash_behind(unsigned char first, const void *octets, size_t len, const void *more,
                                      size_t more_len)
{
    crypto_hash_sha256_state state;
    struct merkle_hash hash;

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, &first, 1);
    crypto_hash_sha256_update(&state, octets, len);
    crypto_hash_sha256_update(&state, more, more_len);
    crypto_hash_sha256_final(&state, hash.octets);
    return hash;
}

static struct merkle_hash join(const struct merkle_hash *left, const struct merkle_hash *right)
{
    return hash_behind(1, left->octets, MERKLE_OCTETS, right->octets, MERKLE_OCTETS);
}

struct merkle_hash merkle_leaf(const void *entry, size_t len)
{
    return hash_behind(0, entry, len, "", 0);
}

/* How many leaves are on the left of a list of two or more. */
static size_t left_count(size_t count)
{
    size_t left = 1;

    while (left < count - left) {
        left *= 2;
    }
    return left;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the tree
struct merkle_hash merkle_root(const struct merkle_hash *leaves, size_t count)
{
    struct merkle_hash hash, left, right;
    size_t middle;

    if (count == 0) {
        crypto_hash_sha256(hash.octets, (const unsigned char *)"", 0);
        return hash;
    }
    if (count == 1) {
        return leaves[0];
    }
    middle = left_count(count);
    left = merkle_root(leaves, middle);
    right = merkle_root(leaves + middle, count - middle);
    return join(&left, &right);
}

size_t merkle_path(const struct merkle_hash *leaves, size_t count, size_t index,
                   struct merkle_hash path[static MERKLE_PATH_MAX])
{
    struct merkle_hash down[MERKLE_PATH_MAX]; /* from the root to the leaf */
    size_t steps = 0;

    while (count > 1) {
        size_t middle = left_count(count);

        if (index < middle) {
            down[steps++] = merkle_root(leaves + middle, count - middle);
            count = middle;
        } else {
            down[steps++] = merkle_root(leaves, middle);
            leaves += middle;
            index -= middle;
            count -= middle;
        }
    }
    for (size_t i = 0; i < steps; i++) {
        path[i] = down[steps - 1 - i];
    }
    return steps;
}

/* `last` is the last leaf's place at this height. Where a part stands alone at the right edge it is lifted until it has
 * a neighbour. */
bool merkle_is_in(const struct merkle_hash *root, uint64_t count, const struct merkle_hash *leaf, uint64_t index,
                  const struct merkle_hash *path, size_t path_count)
{
    struct merkle_hash hash = *leaf;
    uint64_t last = count - 1;

    if (index >= count) {
        return false;
    }
    for (size_t i = 0; i < path_count; i++, index /= 2, last /= 2) {
        if (last == 0) {
            return false;
        }
        if (index % 2 == 1 || index == last) {
            hash = join(&path[i], &hash);
            while (index % 2 == 0 && index > 0) {
                index /= 2;
                last /= 2;
            }
        } else {
            hash = join(&hash, &path[i]);
        }
    }
    return last == 0 && sodium_memcmp(hash.octets, root->octets, MERKLE_OCTETS) == 0;
}

/* From the root down to where the older list ends. Left of that, a part that is whole is in both; where it is the whole
 * of the older list, whoever verifies knows its hash already. */
size_t merkle_growth(const struct merkle_hash *leaves, size_t count, size_t before,
                     struct merkle_hash path[static MERKLE_PATH_MAX])
{
    struct merkle_hash down[MERKLE_PATH_MAX]; /* from the root on */
    size_t steps = 0;
    bool known = true; /* what is left is the whole of the older list */

    while (before < count) {
        size_t middle = left_count(count);

        if (before <= middle) {
            down[steps++] = merkle_root(leaves + middle, count - middle);
            count = middle;
        } else {
            down[steps++] = merkle_root(leaves, middle);
            leaves += middle;
            before -= middle;
            count -= middle;
            known = false;
        }
    }
    if (!known) {
        down[steps++] = merkle_root(leaves, count);
    }
    for (size_t i = 0; i < steps; i++) {
        path[i] = down[steps - 1 - i];
    }
    return steps;
}

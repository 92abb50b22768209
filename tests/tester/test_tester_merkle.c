/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Merkle trees: roots that others publish for eight entries, and that every path of every list leads to its root and
 * to no other.
 */
#include "tester/report/merkle.h"
#include "tests/unit/tap.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { PUBLISHED = 8, LISTS = 70 };

/* The entries and roots by which implementations of Certificate Transparency are compared. */
static const struct {
    const char *entry; /* in hexadecimal */
    const char *root;  /* of the list up to it */
} published[PUBLISHED] = {
    {"", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
    {"00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"},
    {"10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"},
    {"2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"},
    {"3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"},
    {"40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"},
    {"5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"},
    {"606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"},
};

static void test_published(void)
{
    struct merkle_hash leaves[PUBLISHED], root;
    char text[2 * MERKLE_OCTETS + 1];

    for (size_t i = 0; i < PUBLISHED; i++) {
        unsigned char entry[MERKLE_OCTETS];
        size_t len = 0;

        sodium_hex2bin(entry, sizeof entry, published[i].entry, strlen(published[i].entry), NULL, &len, NULL);
        leaves[i] = merkle_leaf(entry, len);
        root = merkle_root(leaves, i + 1);
        sodium_bin2hex(text, sizeof text, root.octets, MERKLE_OCTETS);
        CHECK(strcmp(text, published[i].root) == 0, "the root of %zu entries", i + 1);
    }
    root = merkle_root(leaves, 0);
    sodium_bin2hex(text, sizeof text, root.octets, MERKLE_OCTETS);
    CHECK_STR(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "the root of none");
}

/* Whether the path of one leaf of one list is right at its own place only, whole, and for its own leaf. */
static bool path_is_right(const struct merkle_hash *leaves, size_t count, size_t index)
{
    struct merkle_hash path[MERKLE_PATH_MAX], root = merkle_root(leaves, count);
    struct merkle_hash other = merkle_leaf("another", 7);
    size_t steps = merkle_path(leaves, count, index, path);
    bool right = !merkle_is_in(&root, count, &other, index, path, steps);

    for (size_t at = 0; at <= count; at++) {
        right = right && merkle_is_in(&root, count, &leaves[index], at, path, steps) == (at == index);
    }
    right = right && (steps == 0 || !merkle_is_in(&root, count, &leaves[index], index, path, steps - 1));
    path[steps] = other;
    return right && !merkle_is_in(&root, count, &leaves[index], index, path, steps + 1);
}

static void test_paths(void)
{
    struct merkle_hash leaves[LISTS];

    for (size_t i = 0; i < LISTS; i++) {
        char entry[16];

        leaves[i] = merkle_leaf(entry, (size_t)snprintf(entry, sizeof entry, "entry %zu", i));
    }
    for (size_t count = 1; count <= LISTS; count++) {
        bool right = true;

        for (size_t index = 0; index < count; index++) {
            right = right && path_is_right(leaves, count, index);
        }
        CHECK(right, "the paths of a list of %zu", count);
    }
}

int main(void)
{
    CHECK(sodium_init() >= 0, "the library starts");
    test_published();
    test_paths();
    return tap_done();
}

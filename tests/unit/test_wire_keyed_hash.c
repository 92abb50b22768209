/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The hash with a key against libsodium's, which is the same function over octets.
 */
#include "tests/unit/tap.h"
#include "wire/octets/keyed_hash.h"

#include <sodium.h>
#include <string.h>

enum { WORDS_MAX = 40, KEYS = 20 };

/* The words as octets, least significant first, on a machine of any order. */
static void spell(const uint64_t *words, size_t count, unsigned char *octets)
{
    for (size_t i = 0; i < count * 8; i++) {
        octets[i] = (unsigned char)(words[i / 8] >> (i % 8 * 8));
    }
}

static void like_the_library(void)
{
    uint64_t key[2], words[WORDS_MAX];
    unsigned char spelt_key[16], spelt[WORDS_MAX * 8], digest[crypto_shorthash_BYTES];

    _Static_assert(crypto_shorthash_KEYBYTES == sizeof spelt_key, "a key of two words");
    for (int i = 0; i < KEYS; i++) {
        randombytes_buf(key, sizeof key);
        randombytes_buf(words, sizeof words);
        spell(key, 2, spelt_key);
        spell(words, WORDS_MAX, spelt);
        for (size_t count = 0; count <= WORDS_MAX; count++) {
            uint64_t hash = wire_keyed_hash(key, words, count);
            unsigned char made[8];

            spell(&hash, 1, made);
            crypto_shorthash(digest, spelt, count * 8, spelt_key);
            CHECK(memcmp(made, digest, sizeof made) == 0, "%zu words under key %d", count, i);
        }
    }
}

/* The first of the published examples that is of whole words: nothing, under the key of the octets 0 to 15. */
static void like_the_paper(void)
{
    const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    const uint64_t word = UINT64_C(0x0706050403020100);

    CHECK(wire_keyed_hash(key, &word, 0) == UINT64_C(0x726fdb47dd0e0e31), "of nothing");
    CHECK(wire_keyed_hash(key, &word, 1) == UINT64_C(0x93f5f5799a932462), "of the octets 0 to 7");
}

int main(void)
{
    if (sodium_init() < 0) {
        printf("Bail out! libsodium does not start\n");
        return 2;
    }
    TAP_RUN(like_the_paper);
    TAP_RUN(like_the_library);
    return tap_done();
}

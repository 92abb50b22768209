/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * SipHash-2-4 over whole words (wire/octets/keyed_hash.h), for the tables of the checkers. A plain multiplying hash
 * would not do even with a secret beginning: differences in the highest bits pass through it unchanged, so that entries
 * which fall together under one beginning do so under all.
 */
#include "wire/octets/keyed_hash.h"

enum { ROUNDS = 2, FINAL_ROUNDS = 4 };

struct state {
    uint64_t a, b, c, d;
};

static uint64_t turned(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void stir(struct state *s, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        s->a += s->b;
        s->c += s->d;
        s->b = turned(s->b, 13) ^ s->a;
        s->d = turned(s->d, 16) ^ s->c;
        s->a = turned(s->a, 32) + s->d;
        s->c += s->b;
        s->d = turned(s->d, 21) ^ s->a;
        s->b = turned(s->b, 17) ^ s->c;
        s->c = turned(s->c, 32);
    }
}

static inline void absorb(struct state *s, uint64_t word)
{
    s->d ^= word;
    stir(s, ROUNDS);
    s->a ^= word;
}

uint64_t wire_keyed_hash(const uint64_t key[2], const uint64_t *words, size_t count)
{
    struct state s = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                      key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};

    for (size_t i = 0; i < count; i++) {
        absorb(&s, words[i]);
    }
    absorb(&s, (uint64_t)(count * sizeof words[0])
                   << 56); /* the number of octets, of which the lowest eight bits count */
    s.c ^= 0xff;
    stir(&s, FINAL_ROUNDS);
    return s.a ^ s.b ^ s.c ^ s.d;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * SHA-256 as FIPS 180-4 writes it down, section 6.2: the agent is built with nothing but a C library.
 */
#include "sha256.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static void expand(const unsigned char *block, uint32_t words[64])
{
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + words[i - 7] +
                   (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }
}

static void take_block(struct sha256 *self, const unsigned char *block)
{
    uint32_t words[64], v[8];

    expand(block, words);
    memcpy(v, self->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]), majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t first =
            v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) + choice + sha256_k[i] + words[i];
        uint32_t second = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) + majority;
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        self->state[i] += v[i];
}

void sha256_begin(struct sha256 *self)
{
    /* the same of the square roots of the first 8 primes */
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memcpy(self->state, first, sizeof first);
    self->len = 0;
}

void sha256_add(struct sha256 *self, const void *octets, size_t len)
{
    const unsigned char *at = octets;

    while (len) {
        size_t used = (size_t)(self->len % SHA256_BLOCK), part = SHA256_BLOCK - used;
        part = part < len ? part : len;
        memcpy(self->block + used, at, part);
        self->len += part;
        at += part;
        len -= part;
        if (used + part == SHA256_BLOCK)
            take_block(self, self->block);
    }
}

void sha256_end(struct sha256 *self, unsigned char digest[SHA256_OCTETS])
{
    static const unsigned char padding[SHA256_BLOCK] = {0x80};
    uint64_t bits = self->len * 8;
    unsigned char tail[8];

    sha256_add(self, padding, 1 + (119 - (size_t)(self->len % SHA256_BLOCK)) % SHA256_BLOCK);
    for (int i = 0; i < 8; i++)
        tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(self, tail, sizeof tail);
    for (int i = 0; i < SHA256_OCTETS; i++)
        digest[i] = (unsigned char)(self->state[i / 4] >> (24 - 8 * (i % 4)));
}

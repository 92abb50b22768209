/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * SHA-256 (FIPS 180-4), for telling which files a job consists of.
 */
#ifndef INTERPRETER_AGENT_SHA256_H
#define INTERPRETER_AGENT_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_OCTETS = 32, SHA256_BLOCK = 64 };

/* struct sha256 is a digest while it is made; sha256_begin makes it ready. */
struct sha256 {
    uint32_t state[8];
    uint64_t len; /* octets so far */
    unsigned char block[SHA256_BLOCK];
};

/* sha256_begin, sha256_add and sha256_end give the digest of all octets that were added between. */
void sha256_begin(struct sha256 *self);
void sha256_add(struct sha256 *self, const void *octets, size_t len);
void sha256_end(struct sha256 *self, unsigned char digest[SHA256_OCTETS]);

#endif

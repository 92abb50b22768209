/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The key that all parts of a job with secure channels (common/secure.h) share, and the file that it comes from.
 */
#ifndef REF_IMPL_IMPI_COMMON_SECURE_KEY_H
#define REF_IMPL_IMPI_COMMON_SECURE_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum { SECURE_KEY_MIN = 16, SECURE_KEY_MAX = 256 }; /* octets */

/* struct secure_key is a key. */
struct secure_key {
    unsigned char octets[SECURE_KEY_MAX];
    size_t len;
};

/* secure_key_read - reads the key from a file: all of its octets but one line end behind them. False, with the end of a
 * sentence that begins with the file's name in `error`: it cannot be read, is no file, may be read or written by others
 * than its owner, or has too few or too many octets. */
bool secure_key_read(const char *path, struct secure_key *key, char *error, size_t cap);

#endif

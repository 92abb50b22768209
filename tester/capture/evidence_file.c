/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Size and digest of a file (evidence_file.h). It has just been written, so that it is read from memory.
 */
#include "tester/capture/evidence_file.h"

#include "tester/base/memory.h"

#include <errno.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1 << 16 };

bool evidence_file_measure(const char *folder, struct evidence_file *file)
{
    char *path = memory_format("%s/%s", folder, file->path);
    unsigned char *piece = memory_zero(PIECE), digest[crypto_hash_sha256_BYTES];
    FILE *in = fopen(path, "rbe");
    crypto_hash_sha256_state state;
    uint64_t octets = 0;
    size_t len;

    crypto_hash_sha256_init(&state);
    while (in && (len = fread(piece, 1, PIECE, in)) > 0) {
        crypto_hash_sha256_update(&state, piece, len);
        octets += len;
    }
    int error = !in || ferror(in) ? (errno ? errno : EIO) : 0;
    crypto_hash_sha256_final(&state, digest);
    if (!error) {
        file->octets = octets;
        for (size_t i = 0; i < sizeof digest; i++) {
            snprintf(file->sha256 + 2 * i, 3, "%02x", digest[i]);
        }
    }
    if (in) {
        fclose(in);
    }
    free(piece);
    free(path);
    errno = error;
    return error == 0;
}

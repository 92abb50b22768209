/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds each book's style and script in the embedded file and makes the policy that allows these two alone.
 */
#include "web/profiles/book.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum {
    SOURCE_SIZE =
        sizeof "'sha256-'" + sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)
};

/* Writes what a policy calls the text between the first `open` and the `close` after it; 'none' when there is none. */
static void source_of(const struct asset *file, const char *open, const char *close, char *source)
{
    const uint8_t *end = file->octets + file->len;
    const uint8_t *from = memmem(file->octets, file->len, open, strlen(open));
    const uint8_t *to = from ? memmem(from, (size_t)(end - from), close, strlen(close)) : NULL;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char text[sodium_base64_ENCODED_LEN(sizeof hash, sodium_base64_VARIANT_ORIGINAL)];

    if (!to) {
        snprintf(source, SOURCE_SIZE, "'none'");
        return;
    }
    from += strlen(open);
    crypto_hash_sha256(hash, from, (unsigned long long)(to - from));
    sodium_bin2base64(text, sizeof text, hash, sizeof hash, sodium_base64_VARIANT_ORIGINAL);
    snprintf(source, SOURCE_SIZE, "'sha256-%s'", text);
}

const struct asset *book_of(const char *profile)
{
    char file[256];

    return snprintf(file, sizeof file, "%s.html", profile) < (int)sizeof file ? asset_find(file) : NULL;
}

void book_policy(const struct asset *book, char policy[static BOOK_POLICY_SIZE])
{
    char style[SOURCE_SIZE], script[SOURCE_SIZE];

    source_of(book, "<style>", "</style>", style);
    source_of(book, "<script>", "</script>", script);
    snprintf(policy, BOOK_POLICY_SIZE,
             "default-src 'none'; style-src %s; script-src %s; img-src 'self'; frame-ancestors 'none'; "
             "base-uri 'none'; form-action 'none'",
             style, script);
}

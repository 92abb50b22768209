/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds each book's style and script in the embedded file and makes the policy that allows these two alone.
 */
#include "web/profiles/book.h"

#include "web/service/asset.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum {
    SOURCE_SIZE =
        sizeof "'sha256-'" + sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL),
    BOOKS = 2
};

static const struct book books[BOOKS] = {
    {"portals-3.0", "portals-3.0.html"},
    {"impi-0.0", "impi-0.0.html"},
};

static char policies[BOOKS][256 + 2 * SOURCE_SIZE];

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

static void policies_make(void)
{
    for (size_t i = 0; i < BOOKS; i++) {
        const struct asset *file = asset_find(books[i].file);
        char style[SOURCE_SIZE] = "'none'", script[SOURCE_SIZE] = "'none'";

        if (file) {
            source_of(file, "<style>", "</style>", style);
            source_of(file, "<script>", "</script>", script);
        }
        snprintf(policies[i], sizeof policies[i],
                 "default-src 'none'; style-src %s; script-src %s; img-src 'self'; frame-ancestors 'none'; "
                 "base-uri 'none'; form-action 'none'",
                 style, script);
    }
}

const struct book *book_of(const char *profile)
{
    for (size_t i = 0; i < BOOKS; i++) {
        if (!profile || strcmp(profile, books[i].profile) == 0) {
            return &books[i];
        }
    }
    return NULL;
}

const char *book_policy(const struct book *book)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, policies_make);
    return policies[book - books];
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Finds each book's style and script in the embedded file and makes the policy that allows these two alone; and its
 * sections, which follow one another and have none inside. Code in a book is escaped, so that a tag in it is none.
 */
#include "web/profiles/book.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
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

static const char SECTION[] = "<section ", SECTION_END[] = "</section>";

/* The first place of the text between two, or NULL. */
static const char *find(const char *from, const char *to, const char *text)
{
    return memmem(from, (size_t)(to - from), text, strlen(text));
}

/* Behind the heading of a section of which the first tag ends at `from`; `from` itself if it begins with none. */
static const char *heading_end(const char *from, const char *to)
{
    char close[] = "</h1>";
    const char *end;

    if (to - from < 4 || from[0] != '<' || from[1] != 'h' || from[3] != '>') {
        return from;
    }
    close[3] = from[2];
    end = find(from, to, close);
    return end ? end + strlen(close) : from;
}

/* The cover stands in the outline as it is, and is no section to be asked for. */
static bool is_cover(const char *section, const char *tag_end)
{
    return find(section, tag_end, " id=\"top\"");
}

char *book_outline(const struct asset *book, size_t *len)
{
    static const char later[] = " data-later";
    const char *at = (const char *)book->octets, *end = at + book->len, *section;
    char *text = NULL;
    FILE *out = open_memstream(&text, len);

    if (!out) {
        return NULL;
    }
    while ((section = find(at, end, SECTION))) {
        const char *close = find(section, end, SECTION_END), *tag_end = find(section, end, ">");

        if (!close || !tag_end || is_cover(section, tag_end)) {
            close = close ? close + strlen(SECTION_END) : end;
            fwrite(at, 1, (size_t)(close - at), out);
            at = close;
            continue;
        }
        fwrite(at, 1, (size_t)(tag_end - at), out);
        fwrite(later, 1, strlen(later), out);
        fwrite(tag_end, 1, (size_t)(heading_end(tag_end + 1, close) - tag_end), out);
        at = close;
    }
    fwrite(at, 1, (size_t)(end - at), out);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

bool book_section(const struct asset *book, const char *id, struct book_piece *piece)
{
    const char *begin = (const char *)book->octets, *end = begin + book->len, *at, *section, *close;
    char named[BOOK_ID_SIZE];

    if (strpbrk(id, "\"<>&") || snprintf(named, sizeof named, " id=\"%s\"", id) >= (int)sizeof named) {
        return false;
    }
    at = find(begin, end, named);
    for (section = NULL; at && (begin = find(begin, at, SECTION)); begin++) {
        section = begin;
    }
    close = section ? find(section, end, SECTION_END) : NULL;
    if (!close || close < at) {
        return false; /* in the frame around the sections */
    }
    piece->octets = section;
    piece->len = (size_t)(close - section) + strlen(SECTION_END);
    return sscanf(section, "<section class=\"part\" id=\"%255[^\"]", piece->id) == 1;
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
    snprintf(
        policy, BOOK_POLICY_SIZE,
        "default-src 'none'; style-src %s; script-src %s; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'none'",
        style, script);
}

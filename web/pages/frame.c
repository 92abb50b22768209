/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fills page.html: each line with a mark in it gives way to a link for each profile.
 */
#include "web/pages/frame.h"

#include "tester/base/markup.h"
#include "web/profiles/book.h"
#include "web/profiles/catalogue.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A title up to its first comma: "IMPI 0.0, Interoperable MPI" has little room in a menu. */
static void put_short_title(FILE *out, const struct profile *profile)
{
    markup_put(out, profile->title, strcspn(profile->title, ","));
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " data-%s=\"", name);
    markup_put(out, value, strlen(value));
    putc('"', out);
}

/* The roles that a server of the vendor's own may join. */
static void put_server_roles(FILE *out, const struct profile *profile)
{
    fputs(" data-servers=\"", out);
    for (size_t i = 0, count = 0; i < profile->role_count; i++) {
        if (profile->roles[i].server) {
            fputs(count++ ? " " : "", out);
            markup_put(out, profile->roles[i].name, strlen(profile->roles[i].name));
        }
    }
    putc('"', out);
}

static void put_menu(FILE *out, const struct profile *profile)
{
    fprintf(out, "    <a href=\"/profiles/%s\"", profile->name);
    put_attribute(out, "profile", profile->name);
    put_attribute(out, "title", profile->title);
    put_attribute(out, "prefix", profile->prefix);
    put_server_roles(out, profile);
    if (book_of(profile->name)) {
        fputs(" data-book", out);
    }
    putc('>', out);
    put_short_title(out, profile);
    fputs("</a>\n", out);
}

static void put_book(FILE *out, const struct profile *profile)
{
    if (book_of(profile->name)) {
        fprintf(out, "<a href=\"/book/%s\">", profile->name);
        put_short_title(out, profile);
        fputs("</a>\n", out);
    }
}

static const struct {
    const char *text;
    void (*put)(FILE *out, const struct profile *profile);
} marks[] = {{"<!-- profiles -->", put_menu}, {"<!-- books -->", put_book}};

/* A line of page.html, which ends before `end`. */
static void put_line(FILE *out, const char *line, const char *end, const struct profile_table *table)
{
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (memmem(line, (size_t)(end - line), marks[i].text, strlen(marks[i].text))) {
            for (size_t j = 0; j < profile_table_count(table); j++) {
                marks[i].put(out, profile_table_at(table, j));
            }
            return;
        }
    }
    fwrite(line, 1, (size_t)(end - line), out);
}

static void put_page(FILE *out, const struct profile_table *table)
{
    const struct asset *page = asset_find("page.html");
    const char *line = (const char *)page->octets, *end = line + page->len;

    while (line < end) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        stop = stop ? stop + 1 : end;
        put_line(out, line, stop, table);
        line = stop;
    }
}

static void make_tag(struct frame *frame)
{
    unsigned char hash[crypto_generichash_BYTES_MIN];
    char hex[2 * sizeof hash + 1];

    crypto_generichash(hash, sizeof hash, frame->page.octets, frame->page.len, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    snprintf(frame->tag, sizeof frame->tag, "\"%s\"", hex);
}

struct frame *frame_new(const struct catalogue *catalogue)
{
    struct frame *frame = calloc(1, sizeof *frame);
    char *text = NULL;
    size_t len = 0;
    FILE *out = frame ? open_memstream(&text, &len) : NULL;

    if (out) {
        put_page(out, catalogue_table(catalogue));
    }
    if (!out || fclose(out) != 0) {
        free(text);
        free(frame);
        return NULL;
    }
    frame->page = (struct asset){"page.html", (const uint8_t *)text, len};
    make_tag(frame);
    return frame;
}

void frame_free(struct frame *frame)
{
    if (frame) {
        free((void *)(uintptr_t)frame->page.octets);
        free(frame);
    }
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The books, one for each profile: HTML files that `make trace` writes and that need nothing beside them, so their
 * style and their script stand inside. The service's Content-Security-Policy lets nothing inline run; for a book it
 * names the very two pieces.
 */
#ifndef WEB_PROFILES_BOOK_H
#define WEB_PROFILES_BOOK_H

#include "web/service/asset.h"

#include <stdbool.h>
#include <stddef.h>

enum { BOOK_POLICY_SIZE = 512, BOOK_ID_SIZE = 256 };

/* book_of gives the book of a profile of the table, NULL when none was made. */
const struct asset *book_of(const char *profile);

/* struct book_piece is a section of a book, with its tags: `octets`, `len` of them; and its id. */
struct book_piece {
    const char *octets;
    size_t len;
    char id[BOOK_ID_SIZE];
};

/* book_outline gives the book with the headings of its sections alone, whose script asks for the rest: a text for
 * free(), `len` octets; NULL without memory.
 * book_section finds the section that has the element of that id, or is it; false when there is none but the cover. */
char *book_outline(const struct asset *book, size_t *len);
bool book_section(const struct asset *book, const char *id, struct book_piece *piece);

/* book_policy writes the Content-Security-Policy for the book: its own style and script, known by their hashes, the
 * service's icon, and its own sections. */
void book_policy(const struct asset *book, char policy[static BOOK_POLICY_SIZE]);

#endif

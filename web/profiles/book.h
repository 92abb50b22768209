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

/* struct book is one of them. */
struct book {
    const char *profile; /* "portals-3.0" */
    const char *file;    /* the embedded file */
};

/* book_of gives the book of a profile, NULL when there is none. The first book of all is that of NULL. */
const struct book *book_of(const char *profile);

/* book_policy gives the Content-Security-Policy for the book: its own style and script, known by their hashes, and
 * nothing else but the service's icon. Static; made on the first call. */
const char *book_policy(const struct book *book);

#endif

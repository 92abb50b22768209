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

enum { BOOK_POLICY_SIZE = 512 };

/* book_of gives the book of a profile of the table, NULL when none was made. */
const struct asset *book_of(const char *profile);

/* book_policy writes the Content-Security-Policy for the book: its own style and script, known by their hashes, and
 * nothing else but the service's icon. */
void book_policy(const struct asset *book, char policy[static BOOK_POLICY_SIZE]);

#endif

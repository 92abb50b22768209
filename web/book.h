/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The book: one HTML file that `make trace` writes and that needs nothing beside it, so its style and its script stand
 * inside. The service's Content-Security-Policy lets nothing inline run; for the book it names the very two pieces.
 */
#ifndef WEB_BOOK_H
#define WEB_BOOK_H

/* BOOK_NAME is the embedded file. */
#define BOOK_NAME "portals-3.0.html"

/* book_policy gives the Content-Security-Policy for the book: its own style and script, known by their hashes, and
 * nothing else but the service's icon. Static; made on the first call. */
const char *book_policy(void);

#endif

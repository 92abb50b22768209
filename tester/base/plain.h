/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Texts of people that are stored and shown to others.
 */
#ifndef TESTER_BASE_PLAIN_H
#define TESTER_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/* plain_allowed tells whether a text, which is UTF-8, has no control characters, line breaks being allowed where
 * `lines` says so, and none that are invisible or turn the direction of writing. */
bool plain_allowed(const char *text, bool lines);

/* plain_text tells whether it is UTF-8, has 1 to `most` octets, and is allowed on one line. */
bool plain_text(const char *text, size_t most);

#endif

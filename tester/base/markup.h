/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Text in documents of HTML and XML. What is written so is text wherever it stands, in an element or in an attribute
 * with double quotes, whatever it holds.
 */
#ifndef TESTER_BASE_MARKUP_H
#define TESTER_BASE_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/* markup_put writes `len` octets of text. XML 1.0 knows no control characters but tab and line ends: any other becomes
 * a question mark. */
void markup_put(FILE *out, const char *text, size_t len);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What has a meaning in HTML and XML is written as a reference (markup.h).
 */
#include "tester/base/markup.h"

static void put_octet(FILE *out, unsigned char octet)
{
    switch (octet) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    default:
        putc(octet >= 32 || octet == '\n' || octet == '\t' ? octet : '?', out);
    }
}

void markup_put(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        put_octet(out, (unsigned char)text[i]);
    }
}

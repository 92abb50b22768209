/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Text in HTML and XML (markup.h): whatever it holds, it neither ends its element or attribute nor begins another.
 */
#include "tester/base/markup.h"
#include "tests/unit/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_put(const char *what, const char *text, size_t len, const char *wanted)
{
    char *octets = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&octets, &size);

    markup_put(out, text, len);
    fclose(out);
    CHECK(strcmp(octets, wanted) == 0, "%s: \"%s\"", what, octets);
    free(octets);
}

int main(void)
{
    check_put("nothing", "", 0, "");
    check_put("an element", "<b a=\"1\">", 9, "&lt;b a=&quot;1&quot;&gt;");
    check_put("what looks escaped already", "&lt;", 4, "&amp;lt;");
    check_put("tab and line end", "a\tb\n", 4, "a\tb\n");
    check_put("control characters", "a\x1b[1m\r\x01", 7, "a?[1m??");
    check_put("NUL within", "a\0b", 3, "a?b");
    check_put("octets above ASCII", "\xc3\xbc", 2, "\xc3\xbc");
    check_put("only so many", "one, two", 3, "one");
    return tap_done();
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Text from outside becomes UTF-8: what is whole stays, every other octet becomes a question mark, what the end cuts
 * off goes. The octets are those of RFC 3629, sections 3 to 7.
 */
#include "tester/base/utf8.h"
#include "tests/unit/tap.h"

#include <stdio.h>
#include <string.h>

static void check_repair(const char *what, const char *text, const char *wanted)
{
    char octets[64];

    snprintf(octets, sizeof octets, "%s", text);
    CHECK(utf8_is_whole(text) == (strcmp(text, wanted) == 0), "%s: whole or not", what);
    CHECK(utf8_repair(octets) == octets && strcmp(octets, wanted) == 0, "%s: \"%s\"", what, octets);
}

int main(void)
{
    check_repair("nothing", "", "");
    check_repair("ASCII", "a\tb~\x7f", "a\tb~\x7f");
    check_repair("two octets", "\xc2\x80\xdf\xbf", "\xc2\x80\xdf\xbf");
    check_repair("three octets", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
                 "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf");
    check_repair("four octets", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
    check_repair("Latin-1", "gr\xfcn", "gr?n");
    check_repair("a lonely continuation", "a\x80z", "a?z");
    check_repair("overlong slash", "\xc0\xaf\xe0\x80\xaf\xf0\x80\x80\xaf.", "?????????.");
    check_repair("surrogate", "\xed\xa0\x80.", "???.");
    check_repair("beyond the last character", "\xf4\x90\x80\x80\xf5\xff.", "??????.");
    check_repair("a character that ends too soon", "\xe2\x82z\xf0\x9f\x98z", "??z???z");
    check_repair("cut after one of two", "a\xc3", "a");
    check_repair("cut after one of three", "a\xe2", "a");
    check_repair("cut after two of three", "a\xe2\x82", "a");
    check_repair("cut after three of four", "\xf0\x9f\x98", "");
    check_repair("what cannot become a character is not cut", "a\xe0\x80", "a??");
    return tap_done();
}

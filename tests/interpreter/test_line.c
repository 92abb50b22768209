/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Making lines, reading words, and cutting a stream into lines.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "interpreter/common/line.h"
#include "interpreter/common/lines.h"
#include "tests/unit/tap.h"

static void adds(void)
{
    struct line line = {0};

    line_add(&line, "%d %s", 7, "ok");
    line_add_encoded(&line, " a=%\n\377~", 7);
    line_add_hex(&line, "\001\253", 2);
    CHECK_STR(line.text, "7 ok%20a%3D%25%0A%FF~01ab", "text, encoded text, octets");
    line_cut(&line, 4);
    CHECK_STR(line.text, "7 ok", "cut back");
    line_release(&line);
    CHECK(!line.text && line.len == 0, "released");
}

static void stops_at_the_limit(void)
{
    struct line line = {0};
    static char most[LINE_OCTETS - 1];

    memset(most, 'x', sizeof most);
    line_add_text(&line, most, sizeof most);
    CHECK(!line.failed && line.len == sizeof most, "a line of 262143 characters fits");
    line_add(&line, "%s", "");
    CHECK(!line.failed, "so does nothing more");
    line_add_text(&line, "y", 1);
    CHECK(line.failed && line.len == sizeof most, "one more does not, and nothing is added");
    line_cut(&line, 0);
    line_add(&line, "z");
    CHECK(line.failed && line.len == 0, "a failed line stays failed");
    line_release(&line);
    line_add_encoded(&line, most, sizeof most);
    CHECK(line.failed, "what could become too long is refused before it is encoded");
    line_release(&line);
}

static void reads_integers(void)
{
    static const struct {
        const char *text;
        bool good, negative;
        unsigned long long magnitude;
    } rows[] = {
        {"0", true, false, 0},
        {"18446744073709551615", true, false, ULLONG_MAX},
        {"18446744073709551616", false, false, 0},
        {"0xFfFfFfFfFfFfFfFf", true, false, ULLONG_MAX},
        {"0x10000000000000000", false, false, 0},
        {"-9223372036854775808", true, true, 9223372036854775808ull},
        {"-9223372036854775809", false, false, 0},
        {"-0", true, true, 0},
        {"", false, false, 0},
        {"-", false, false, 0},
        {"--1", false, false, 0},
        {"+1", false, false, 0},
        {" 1", false, false, 0},
        {"1 ", false, false, 0},
        {"0x", false, false, 0},
        {"0x-1", false, false, 0},
        {"0X1", false, false, 0},
        {"-0x1", false, false, 0},
        {"1f", false, false, 0},
        {"010", true, false, 10},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct integer value;
        bool good = text_read_integer(rows[i].text, &value);
        CHECK(good == rows[i].good &&
                  (!good || (value.negative == rows[i].negative && value.magnitude == rows[i].magnitude)),
              "'%s'", rows[i].text);
    }
}

static void fits_integers(void)
{
    struct integer minus = {true, 0}, plus = {false, 0};
    unsigned long long bits;

    minus.magnitude = 128;
    plus.magnitude = 255;
    CHECK(text_integer_bits(&minus, 1, &bits) && (bits & 255) == 128, "-128 fits an octet");
    CHECK(text_integer_bits(&plus, 1, &bits) && bits == 255, "255 fits an octet");
    minus.magnitude = 129;
    plus.magnitude = 256;
    CHECK(!text_integer_bits(&minus, 1, &bits) && !text_integer_bits(&plus, 1, &bits), "-129 and 256 do not");
    minus.magnitude = 1ull << 63;
    plus.magnitude = ULLONG_MAX;
    CHECK(text_integer_bits(&minus, 8, &bits) && bits == 1ull << 63, "the least of 64 bits");
    CHECK(text_integer_bits(&plus, 8, &bits) && bits == ULLONG_MAX, "the most of 64 bits");
}

static void decodes(void)
{
    char good[] = "a%20b%3d%FF", bad[][8] = {"%", "%4", "%zz", "a%00b", "%%41"};

    CHECK(text_decode(good), "decodes");
    CHECK_STR(good, "a b=\377", "decoded text");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!text_decode(bad[i]), "not encoded text, row %u", (unsigned)i);
}

static void knows_names(void)
{
    CHECK(text_is_name("a") && text_is_name("a-_9z") && text_is_name("abcdefghijklmnopqrstuvwxyz012345"), "names");
    CHECK(!text_is_name("") && !text_is_name("9a") && !text_is_name("aB") && !text_is_name("a.b"), "not names");
    CHECK(!text_is_name("abcdefghijklmnopqrstuvwxyz0123456"), "33 characters are too many");
    CHECK(!text_is_name("null") && !text_is_name("ones") && text_is_name("nul") && text_is_name("out"),
          "reserved words");
}

/* takes_pieces writes `pieces` one after the other and reads until nothing comes any more. */
static void takes_pieces(void)
{
    static const char *const pieces[] = {"one\nt", "w", "o\n", "\nthree words here\nrest"};
    static const char *const expected[] = {"one", "two", "", "three words here"};
    struct lines lines;
    size_t found = 0, written = 0;
    const char *why;
    char *line;
    int ends[2];

    if (!CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && lines_open(&lines, ends[0]), "a pair of sockets"))
        return;
    while (found < 4) {
        enum lines_status status = lines_take(&lines, &line, &why);
        if (status == LINES_OK) {
            CHECK_STR(line, expected[found++], "line");
        } else if (!CHECK(status == LINES_NONE && written < 4, "asks for more")) {
            break;
        } else {
            size_t len = strlen(pieces[written]);
            CHECK(write(ends[1], pieces[written++], len) == (ssize_t)len && lines_fill(&lines) == LINES_OK, "fills");
        }
    }
    close(ends[1]);
    CHECK(lines_take(&lines, &line, &why) == LINES_NONE, "an unfinished line is no line");
    CHECK(lines_fill(&lines) == LINES_CLOSED, "and then the end is seen");
    lines_close(&lines);
}

static void refuses(void)
{
    static const char *const wrong[] = {"\001", "a\tb", "a\r\n", "\177", "\200"};
    const char *why;
    char *line;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct lines lines;
        int ends[2];
        if (!CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && lines_open(&lines, ends[0]), "a pair of sockets"))
            return;
        CHECK(write(ends[1], wrong[i], strlen(wrong[i])) > 0 && lines_next(&lines, &line, &why) == LINES_BAD,
              "refuses a forbidden octet at once, row %u", (unsigned)i);
        close(ends[1]);
        lines_close(&lines);
    }
}

int main(void)
{
    TAP_RUN(adds);
    TAP_RUN(stops_at_the_limit);
    TAP_RUN(reads_integers);
    TAP_RUN(fits_integers);
    TAP_RUN(decodes);
    TAP_RUN(knows_names);
    TAP_RUN(takes_pieces);
    TAP_RUN(refuses);
    return tap_done();
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Hexadecimal text: what is accepted, what is not and in which line, and that pieces make no difference.
 */
#include "tests/unit/tap.h"
#include "wire/octets/hex.h"

static const char sample[] = "# a comment with 41 digits\n00 ff\tAbCd # behind\r\n\n7f000001\n";
static const unsigned char sample_octets[] = {0x00, 0xff, 0xab, 0xcd, 0x7f, 0x00, 0x00, 0x01};

static void reads_the_form(void)
{
    struct wire_hex hex = {.line = 1};
    unsigned char out[16];
    size_t used = 0;
    size_t made = 0;

    CHECK_EQ(wire_hex_feed(&hex, sample, strlen(sample), &used, out, sizeof out, &made), WIRE_OK, "accepted");
    CHECK_EQ(made, sizeof sample_octets, "octets");
    CHECK_MEM(out, sample_octets, sizeof sample_octets, "their values");
    CHECK_EQ(used, strlen(sample), "all text is used");
    CHECK_EQ(wire_hex_end(&hex), WIRE_OK, "and may end");
    CHECK_EQ(hex.line, 5, "lines are counted");
}

static void pieces_make_no_difference(void)
{
    for (size_t cut = 0; cut <= strlen(sample); cut++) {
        struct wire_hex hex = {.line = 1};
        unsigned char out[16];
        size_t used = 0;
        size_t first = 0;
        size_t second = 0;

        CHECK(wire_hex_feed(&hex, sample, cut, &used, out, sizeof out, &first) == WIRE_OK && used == cut,
              "the first %zu characters", cut);
        CHECK(wire_hex_feed(&hex, sample + cut, strlen(sample) - cut, &used, out + first, sizeof out - first,
                            &second) == WIRE_OK,
              "the rest");
        CHECK(first + second == sizeof sample_octets && memcmp(out, sample_octets, sizeof sample_octets) == 0,
              "the same octets");
    }
}

static void stops_when_full(void)
{
    struct wire_hex hex = {.line = 1};
    unsigned char out[2] = {9, 9};
    size_t used = 9;
    size_t made = 9;

    CHECK_EQ(wire_hex_feed(&hex, "010203", 6, &used, out, 1, &made), WIRE_OK, "one octet of room");
    CHECK(made == 1 && used == 2 && out[0] == 1 && out[1] == 9, "one octet of two digits");
    CHECK_EQ(wire_hex_feed(&hex, "0203", 4, &used, out, 0, &made), WIRE_OK, "no room");
    CHECK(made == 0 && used == 0, "nothing happens");
}

static void refuse(const char *text, unsigned long line, const char *what)
{
    struct wire_hex hex = {.line = 1};
    unsigned char out[16];
    size_t used = 0;
    size_t made = 0;
    enum wire_status fed = wire_hex_feed(&hex, text, strlen(text), &used, out, sizeof out, &made);

    CHECK(fed == WIRE_MALFORMED || wire_hex_end(&hex) == WIRE_MALFORMED, "%s", what);
    CHECK_EQ(hex.line, line, "in the right line");
    if (fed == WIRE_MALFORMED) {
        CHECK_EQ(wire_hex_feed(&hex, "00", 2, &used, out, sizeof out, &made), WIRE_MALFORMED, "and for ever");
        CHECK(used == 0 && made == 0, "taking nothing");
    }
}

static void refuses_the_rest(void)
{
    refuse("0", 1, "half an octet at the end");
    refuse("00\n0 0", 2, "digits that stand apart");
    refuse("00 1\n2", 1, "digits in two lines");
    refuse("1#2", 1, "a comment inside an octet");
    refuse("\n\n0x00", 3, "a prefix");
    refuse("0g", 1, "a letter that is no digit");
    refuse("00,01", 1, "a comma");
    refuse("\xc3\xa9", 1, "a letter beyond ASCII");
}

int main(void)
{
    TAP_RUN(reads_the_form);
    TAP_RUN(pieces_make_no_difference);
    TAP_RUN(stops_when_full);
    TAP_RUN(refuses_the_rest);
    return tap_done();
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * external32 against octets written by hand: each basic type with its extremes, both ways; what has no form is refused.
 * This file is built three times, since a machine's long double may be of three kinds.
 */
#include "tests/unit/tap.h"
#include "wire/impi/external32.h"
#include "wire/octets/hex.h"

#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <wchar.h>

/* Octets from hexadecimal text. */
static size_t octets_of(const char *text, unsigned char *octets, size_t cap)
{
    struct wire_hex hex = {.line = 1};
    size_t used = 0;
    size_t made = 0;

    CHECK_EQ(wire_hex_feed(&hex, text, strlen(text), &used, octets, cap, &made), WIRE_OK, "the test's own octets");
    return made;
}

/* `count` elements at `native` have the form `text` and come back from it. */
static void both_ways(enum wire_external32 type, const void *native, size_t count, const char *text)
{
    unsigned char want[64], got[64], back[65];
    size_t len = octets_of(text, want, sizeof want);
    size_t native_len = count * wire_external32_native_octets(type);

    CHECK_EQ(len, count * wire_external32_octets(type), wire_external32_name(type));
    CHECK_EQ(wire_external32_pack(type, native, count, got, len, NULL), WIRE_OK, "packs");
    CHECK_MEM(got, want, len, "to the octets of the standard");
    CHECK_EQ(wire_external32_pack(type, native, count, got, len - 1, NULL), WIRE_NO_SPACE, "but not into one less");
    memset(back, 0, sizeof back);
    /* one octet off, so that nothing is aligned */
    CHECK_EQ(wire_external32_unpack(type, want, len, back + 1, NULL), WIRE_OK, "unpacks");
    if (type != WIRE_EXTERNAL32_LONG_DOUBLE) { /* which has padding */
        CHECK_MEM(back + 1, native, native_len, "to the native elements");
    }
    if (wire_external32_octets(type) > 1) {
        CHECK_EQ(wire_external32_unpack(type, want, len - 1, back, NULL), WIRE_SHORT, "but not with one octet less");
    }
}

static void octets_stay_as_they_are(void)
{
    const unsigned char octets[] = {0x00, 0x7f, 0x80, 0xff};

    both_ways(WIRE_EXTERNAL32_BYTE, octets, 4, "00 7f 80 ff");
    both_ways(WIRE_EXTERNAL32_CHAR, octets, 4, "00 7f 80 ff");
    both_ways(WIRE_EXTERNAL32_UNSIGNED_CHAR, octets, 4, "00 7f 80 ff");
}

static void integers_have_their_sizes(void)
{
    const short shorts[] = {1, -2, SHRT_MIN, SHRT_MAX};
    const unsigned short ushorts[] = {1, USHRT_MAX};
    const int ints[] = {0x01020304, -1, INT_MIN, INT_MAX};
    const unsigned uints[] = {0x80000000u, UINT_MAX};
    const long longs[] = {0x01020304, -2, INT32_MIN, INT32_MAX};
    const unsigned long ulongs[] = {1, UINT32_MAX};
    const long long wides[] = {0x0102030405060708, -2, LLONG_MIN};
    const unsigned long long uwides[] = {1, ULLONG_MAX};

    both_ways(WIRE_EXTERNAL32_SHORT, shorts, 4, "0001 fffe 8000 7fff");
    both_ways(WIRE_EXTERNAL32_UNSIGNED_SHORT, ushorts, 2, "0001 ffff");
    both_ways(WIRE_EXTERNAL32_INT, ints, 4, "01020304 ffffffff 80000000 7fffffff");
    both_ways(WIRE_EXTERNAL32_UNSIGNED, uints, 2, "80000000 ffffffff");
    both_ways(WIRE_EXTERNAL32_LONG, longs, 4, "01020304 fffffffe 80000000 7fffffff");
    both_ways(WIRE_EXTERNAL32_UNSIGNED_LONG, ulongs, 2, "00000001 ffffffff");
    both_ways(WIRE_EXTERNAL32_LONG_LONG, wides, 3, "0102030405060708 fffffffffffffffe 8000000000000000");
    both_ways(WIRE_EXTERNAL32_UNSIGNED_LONG_LONG, uwides, 2, "0000000000000001 ffffffffffffffff");
}

/* A wide character is one of the first 65536 of Unicode, or refused. */
static void wide_characters_have_two_octets(void)
{
    const wchar_t wide[] = {0, L'A', 0x20ac, 0xffff};
    const wchar_t above[] = {L'A', 0x10000};
    const wchar_t below[] = {(wchar_t)-1};
    unsigned char out[4];
    size_t bad = 99;

    both_ways(WIRE_EXTERNAL32_WCHAR, wide, 4, "0000 0041 20ac ffff");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_WCHAR, above, 2, out, sizeof out, &bad), WIRE_MALFORMED, "65536");
    CHECK_EQ(bad, 1, "is the second");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_WCHAR, below, 1, out, sizeof out, NULL), WIRE_MALFORMED, "-1");
}

/* A long beyond 4 octets is refused and named, never cut. */
static void longs_out_of_range_are_refused(void)
{
    const long above[] = {7, (long)INT32_MAX + 1};
    const long below[] = {7, 8, (long)INT32_MIN - 1};
    const long far[] = {LONG_MIN, LONG_MAX};
    const unsigned long uabove[] = {(unsigned long)UINT32_MAX + 1};
    unsigned char out[16];
    size_t bad = 99;

    if (sizeof(long) == 4) {
        tap_skip("longs that do not fit", "a long has 4 octets here");
        return;
    }
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG, above, 2, out, sizeof out, &bad), WIRE_MALFORMED, "2^31");
    CHECK_EQ(bad, 1, "is the second element");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG, below, 3, out, sizeof out, &bad), WIRE_MALFORMED, "-2^31 - 1");
    CHECK_EQ(bad, 2, "is the third");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG, far, 1, out, sizeof out, &bad), WIRE_MALFORMED, "the least");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG, far + 1, 1, out, sizeof out, NULL), WIRE_MALFORMED, "the most");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_UNSIGNED_LONG, uabove, 1, out, sizeof out, &bad), WIRE_MALFORMED,
             "2^32 as an unsigned long");
    CHECK_EQ(bad, 0, "is the first");
}

static void floating_point_is_moved_as_bits(void)
{
    const uint32_t floats[] = {0x3fc00000, 0x80000000, 0x00000001, 0x7f800000, 0x7fc12345, 0xff7fffff};
    const uint64_t doubles[] = {0x3ff8000000000000, 0x8000000000000000, 0x0000000000000001, 0xfff0000000000000,
                                0x7ff0000000000001};
    const float one_and_a_half = 1.5f;
    const double minus_two = -2.0;

    both_ways(WIRE_EXTERNAL32_FLOAT, &one_and_a_half, 1, "3fc00000");
    both_ways(WIRE_EXTERNAL32_DOUBLE, &minus_two, 1, "c000000000000000");
    both_ways(WIRE_EXTERNAL32_FLOAT, floats, 6, "3fc00000 80000000 00000001 7f800000 7fc12345 ff7fffff");
    both_ways(WIRE_EXTERNAL32_DOUBLE, doubles, 5,
              "3ff8000000000000 8000000000000000 0000000000000001 fff0000000000000 7ff0000000000001");
}

static void no_elements(void)
{
    unsigned char out[1] = {0x5a};

    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_INT, NULL, 0, out, 0, NULL), WIRE_OK, "nothing packs to nothing");
    CHECK_EQ(wire_external32_unpack(WIRE_EXTERNAL32_BYTE, NULL, 0, out, NULL), WIRE_OK, "and back");
    CHECK_EQ(out[0], 0x5a, "nothing was written");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_DOUBLE, out, SIZE_MAX / 4, out, 1, NULL), WIRE_NO_SPACE,
             "a count that multiplied would wrap");
}

/* A long double of a value that every machine has exactly. */
static void long_double_is(long double value, const char *text)
{
    unsigned char octets[16];
    long double back = 77;

    both_ways(WIRE_EXTERNAL32_LONG_DOUBLE, &value, 1, text);
    (void)octets_of(text, octets, sizeof octets);
    CHECK_EQ(wire_external32_unpack(WIRE_EXTERNAL32_LONG_DOUBLE, octets, 16, &back, NULL), WIRE_OK, "unpacks");
    CHECK(back == value, "to the same value");
    CHECK_EQ(__builtin_signbit(back) != 0, __builtin_signbit(value) != 0, "with its sign");
}

static void long_doubles_are_quads(void)
{
    long_double_is(0.0L, "00000000000000000000000000000000");
    long_double_is(-0.0L, "80000000000000000000000000000000");
    long_double_is(1.0L, "3fff0000000000000000000000000000");
    long_double_is(-2.0L, "c0000000000000000000000000000000");
    long_double_is(1.5L, "3fff8000000000000000000000000000");
    long_double_is(0x1.0000000000001p0L, "3fff0000000000001000000000000000");
    long_double_is(0x1p-1022L, "3c010000000000000000000000000000");
    long_double_is(0x1p-1074L, "3bcd0000000000000000000000000000");
    long_double_is(-0x1.8p-1073L, "bbce8000000000000000000000000000");
    long_double_is(0x1.fffffffffffffp1023L, "43fefffffffffffff000000000000000");
    long_double_is((long double)__builtin_inf(), "7fff0000000000000000000000000000");
    long_double_is(-(long double)__builtin_inf(), "ffff0000000000000000000000000000");
}

static void widest_long_doubles(void)
{
    if (LDBL_MANT_DIG == 53) {
        tap_skip("numbers beyond a double", "a long double is a double here");
        return;
    }
    long_double_is(0x1.fffffffffffffffep0L, "3ffffffffffffffffffe000000000000");
    long_double_is(LDBL_MIN, "00010000000000000000000000000000");
    long_double_is(LDBL_MIN / 2, "00008000000000000000000000000000");
    long_double_is(LDBL_MIN * 0x1p-62L, "00000000000000000004000000000000");
    long_double_is(-3.0L / LDBL_MIN, "fffe8000000000000000000000000000");
}

static long double unpacked(const char *text)
{
    unsigned char octets[16];
    long double back = 77;

    (void)octets_of(text, octets, sizeof octets);
    CHECK_EQ(wire_external32_unpack(WIRE_EXTERNAL32_LONG_DOUBLE, octets, 16, &back, NULL), WIRE_OK, text);
    return back;
}

static void nan_stays_nan(void)
{
    unsigned char out[16];
    long double nan = (long double)__builtin_nan("");

    CHECK(__builtin_isnan(unpacked("7fff8000000000000000000000000000")), "a quiet one");
    CHECK(__builtin_isnan(unpacked("ffff0000000000000000000000000001")), "one whose only bit this machine may lack");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG_DOUBLE, &nan, 1, out, 16, NULL), WIRE_OK, "packs");
    CHECK((out[0] & 0x7f) == 0x7f && out[1] == 0xff && out[2] & 0x80, "to a quiet NaN");
}

/* A quad has more digits than most machines: to the nearest, ties to even, carries through to the exponent. */
static void quads_are_rounded(void)
{
    long double ulp = LDBL_EPSILON;

    if (LDBL_MANT_DIG == 113) {
        tap_skip("rounding", "a long double is a quad here");
        return;
    }
    if (LDBL_MANT_DIG == 64) {
        CHECK(unpacked("3fff0000000000000001000000000000") == 1.0L, "half a unit, tie: down to even");
        CHECK(unpacked("3fff0000000000000001000000000001") == 1.0L + ulp, "a little more: up");
        CHECK(unpacked("3fff0000000000000003000000000000") == 1.0L + 2 * ulp, "tie: up to even");
        CHECK(unpacked("3fffffffffffffffffffffffffffffff") == 2.0L, "carries into the exponent");
        CHECK(unpacked("0000ffffffffffffffffffffffffffff") == LDBL_MIN, "from denormal to normal");
        CHECK(__builtin_isinf(unpacked("7ffeffffffffffffffffffffffffffff")), "to infinity");
        return;
    }
    CHECK(unpacked("3fff0000000000000800000000000000") == 1.0L, "half a unit, tie: down to even");
    CHECK(unpacked("3fff0000000000000800000000000001") == 1.0L + ulp, "a little more: up");
    CHECK(unpacked("3fff0000000000001800000000000000") == 1.0L + 2 * ulp, "tie: up to even");
    CHECK(unpacked("3fffffffffffffffffffffffffffffff") == 2.0L, "carries into the exponent");
    CHECK(unpacked("3c00ffffffffffffffffffffffffffff") == 0x1p-1022L, "from denormal to normal");
    CHECK(unpacked("3bcc0000000000000000000000000000") == 0.0L, "half of the least, tie: zero");
    CHECK(unpacked("3bcc0000000000000000000000000001") == 0x1p-1074L, "a little more: the least");
    CHECK(unpacked("3bcbffffffffffffffffffffffffffff") == 0.0L, "below half: zero");
    CHECK(unpacked("00010000000000000000000000000000") == 0.0L, "far below: zero");
    CHECK(__builtin_isinf(unpacked("43feffffffffffffffffffffffffffff")), "rounded to infinity");
    CHECK(__builtin_isinf(unpacked("ffff0000000000000000000000000000")), "infinity itself");
    CHECK(__builtin_isinf(unpacked("43ff0000000000000000000000000000")), "2^1024 is infinite");
}

/* Octets that x87 takes for no number must not come out as one. */
static void odd_x87_numbers(void)
{
    const unsigned char unnormal[16] = {0, 0, 0, 0, 0, 0, 0, 0x40, 0xff, 0x3f};
    const unsigned char pseudo[16] = {0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0};
    unsigned char out[16], want[16];

    if (LDBL_MANT_DIG != 64) {
        tap_skip("numbers of x87", "a long double is none here");
        return;
    }
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG_DOUBLE, unnormal, 1, out, 16, NULL), WIRE_OK, "packs");
    CHECK(out[0] == 0x7f && out[1] == 0xff && out[2] & 0x80, "an unnormal number is NaN");
    CHECK_EQ(wire_external32_pack(WIRE_EXTERNAL32_LONG_DOUBLE, pseudo, 1, out, 16, NULL), WIRE_OK, "packs");
    (void)octets_of("00010000000000000000000000000000", want, sizeof want);
    CHECK_MEM(out, want, 16, "a pseudo-denormal one is the least normal");
}

int main(void)
{
    TAP_RUN(octets_stay_as_they_are);
    TAP_RUN(integers_have_their_sizes);
    TAP_RUN(wide_characters_have_two_octets);
    TAP_RUN(longs_out_of_range_are_refused);
    TAP_RUN(floating_point_is_moved_as_bits);
    TAP_RUN(no_elements);
    TAP_RUN(long_doubles_are_quads);
    TAP_RUN(widest_long_doubles);
    TAP_RUN(nan_stays_nan);
    TAP_RUN(quads_are_rounded);
    TAP_RUN(odd_x87_numbers);
    return tap_done();
}

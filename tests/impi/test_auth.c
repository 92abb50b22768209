/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Authentication methods: what the environment enables, what -auth prefers, what is chosen (chapter 2.3.3).
 */
#include "ref-impl/impi/common/auth.h"
#include "tests/unit/tap.h"

static struct auth both(void)
{
    struct auth auth = {0};
    char error[160];

    CHECK(auth_read("", "5678", &auth, error, sizeof error), "both methods");
    return auth;
}

static void environment(void)
{
    struct auth auth = {0};
    char error[160];

    CHECK(!auth_read(NULL, NULL, &auth, error, sizeof error), "neither variable: an error");
    CHECK(!auth_read(NULL, "", &auth, error, sizeof error), "an empty key is no value");
    CHECK(auth_read("", NULL, &auth, error, sizeof error), "NONE by presence");
    CHECK_EQ(auth.mask, 1, "its bit");
    CHECK(auth_read("0", "", &auth, error, sizeof error), "whatever its value");
    CHECK_EQ(auth.mask, 1, "its bit");
    CHECK(auth_read(NULL, "18446744073709551615", &auth, error, sizeof error), "the largest key");
    CHECK_EQ(auth.mask, 2, "its bit");
    CHECK_EQ(auth.key, UINT64_MAX, "all of it");
    CHECK(auth_read(NULL, "0xFFFFFFFFFFFFFFFF", &auth, error, sizeof error), "in hexadecimal");
    CHECK_EQ(auth.key, UINT64_MAX, "all of it");
    const char *wrong[] = {
        "18446744073709551616", "0x10000000000000000", "0x", "-1", "+1", " 1", "1 ", "secret", "1.5"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK(!auth_read("", wrong[i], &auth, error, sizeof error), "no key: '%s'", wrong[i]);
    }
    CHECK_EQ(auth.key, UINT64_MAX, "and nothing was written");
}

static void preference(void)
{
    static const struct {
        const char *list;
        uint32_t first;
    } good[] = {{"0", 0},          {"1", 1},   {"0,1", 0},   {"1,0", 1},       {"0-1", 0},
                {"1-0", 1},        {"3,1", 1}, {"3,1-0", 1}, {"9-0", 1},       {"0-9", 0},
                {"4294967297", 1}, {"5-7", 1}, {"0,0", 0},   {"7,0-0,1-1", 0}, {"31,30,0", 0}};
    const char *bad[] = {"", ",", "1,", ",1", "a", "1-", "-1", "1--0", "1-0-1", "1 0", "0x1", "1,,0"};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct auth auth = both();

        CHECK(auth_prefer(&auth, good[i].list), "-auth %s", good[i].list);
        CHECK_EQ(auth.count, 2, "names what is available, or leaves it for the end");
        CHECK_EQ(auth.order[0], good[i].first, "the first");
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct auth auth = both();

        CHECK(!auth_prefer(&auth, bad[i]), "-auth '%s' is malformed", bad[i]);
        CHECK(auth.count == 2 && auth.order[0] == 1, "and changes nothing");
    }
}

static void choice(void)
{
    struct auth auth = both();

    CHECK_EQ(auth_choose(&auth, 3), 1, "the stronger one where nobody says anything");
    CHECK_EQ(auth_choose(&auth, 1), 0, "what the client has");
    CHECK_EQ(auth_choose(&auth, UINT32_MAX), 1, "bits of unknown methods are ignored");
    CHECK(auth_choose(&auth, 0) < 0 && auth_choose(&auth, 0xfffffffc) < 0, "nothing in common");
    auth.mask = 1;
    auth.count = 0;
    CHECK(auth_prefer(&auth, "1,0"), "a method that is not available");
    CHECK_EQ(auth_choose(&auth, 3), 0, "is never chosen");
}

static void keys(void)
{
    struct auth auth = both();

    CHECK(auth_key_same(&auth, 5678), "the key");
    for (unsigned bit = 0; bit < 64; bit++) {
        CHECK(!auth_key_same(&auth, 5678 ^ (uint64_t)1 << bit), "bit %u differs", bit);
    }
}

int main(void)
{
    TAP_RUN(environment);
    TAP_RUN(preference);
    TAP_RUN(choice);
    TAP_RUN(keys);
    return tap_done();
}

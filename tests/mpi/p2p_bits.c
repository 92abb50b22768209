/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match bits of the local device: which message fits which receive. Judges PUMA-033 to PUMA-038, PUMA-064.
 */
#include <limits.h>

#include "ref-impl/mpi/local_own.h"
#include "tests/unit/tap.h"

/* Whether a message with these bits fits a receive. */
static bool fits(ptl_match_bits_t bits, uint64_t cid, int tag)
{
    struct request_match match = {.cid = cid, .peer = REQUEST_ANY, .tag = tag};
    struct local_want want = local_want(&match);

    return ((bits ^ want.bits) & ~want.ignored) == 0;
}

static void tags(void)
{
    static const int some[] = {0, 1, 110, 32767, 65536, 1 << 30, INT_MAX};

    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
        ptl_match_bits_t bits = local_bits(5, some[i]);

        CHECK_EQ(local_bits_tag(bits), some[i], "a tag comes back");
        CHECK(fits(bits, 5, some[i]) && fits(bits, 5, REQUEST_ANY), "it fits itself, and any tag");
        CHECK(!fits(bits, 5, some[i] ^ 1) && !fits(bits, 4, some[i]) && !fits(bits, 4, REQUEST_ANY),
              "but no other tag or context");
    }
}

static void numbers(void)
{
    ptl_match_bits_t plain = local_bits(0xffff, INT_MAX), offer = local_bits_offer(plain, LOCAL_NUMBERS - 1);

    CHECK(!local_bits_long(plain) && local_bits_long(offer), "long messages are told from short ones");
    CHECK_EQ(local_bits_number(offer), LOCAL_NUMBERS - 1, "they have a number");
    CHECK_EQ(local_bits_tag(offer), INT_MAX, "beside the tag");
    CHECK(fits(offer, 0xffff, INT_MAX), "receives look at neither");
    CHECK(local_bits_offer(plain, 1) != local_bits_offer(plain, 2), "numbers differ");
}

/* Context ids that jobs get to: small ones, those after somebody has counted high, and the largest. */
static void contexts(void)
{
    static const uint64_t bases[] = {
        0,        1u << 22,          (1u << 23) - 20,   1u << 23,          1u << 24,
        1u << 31, UINT64_C(1) << 32, UINT64_C(1) << 40, UINT64_C(1) << 63, UINT64_MAX - 40};
    enum { EACH = 40, ALL = 10 * EACH };
    static uint64_t cids[ALL];
    unsigned alike = 0;

    for (unsigned i = 0; i < ALL; i++) {
        cids[i] = bases[i / EACH] + i % EACH;
    }
    for (unsigned i = 0; i < ALL; i++) {
        for (unsigned j = 0; j < i; j++) {
            alike += cids[i] != cids[j] && local_bits(cids[i], 0) == local_bits(cids[j], 0);
        }
    }
    CHECK_EQ(alike, 0, "no two of them look alike");
    CHECK(local_bits(UINT64_MAX, INT_MAX) >> 55 == 0, "nor like a number");
}

int main(void)
{
    TAP_RUN(tags);
    TAP_RUN(numbers);
    TAP_RUN(contexts);
    return tap_done();
}

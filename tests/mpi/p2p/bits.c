/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match bits of the local device: which message fits which receive.
 */
#include <limits.h>

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/state.h"
#include "tests/unit/tap.h"

/* Whether a message with these bits fits a receive. */
static bool fits(ptl_match_bits_t bits, uint32_t slot, int tag)
{
    struct request_match match = {.slot = slot, .peer = REQUEST_ANY, .tag = tag};
    struct local_want want = local_want(&match);

    return ((bits ^ want.bits) & ~want.ignored) == 0;
}

enum { LAST_NUMBER = (1 << LOCAL_NUMBER_BITS) - 1 };

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
    ptl_match_bits_t plain = local_bits(0xffff, INT_MAX), offer = local_bits_offer(plain, LAST_NUMBER);

    CHECK(!local_bits_long(plain) && local_bits_long(offer), "long messages are told from short ones");
    CHECK_EQ(local_bits_number(offer), LAST_NUMBER, "they have a number");
    CHECK_EQ(local_bits_tag(offer), INT_MAX, "beside the tag");
    CHECK(fits(offer, 0xffff, INT_MAX), "receives look at neither");
    CHECK(local_bits_offer(plain, 1) != local_bits_offer(plain, 2), "numbers differ");
    CHECK(local_bits_offer(plain, LAST_NUMBER + 3) == local_bits_offer(plain, 2), "of larger ones the upper bits go");
}

static void forms(void)
{
    struct request request = {.match = {.slot = 5, .tag = 9}};
    ptl_match_bits_t native = local_bits_message(&request), external;

    request.external = true;
    external = local_bits_message(&request);
    CHECK(!local_bits_external(native) && local_bits_external(external), "the form of the octets is told");
    CHECK(local_bits_external(local_bits_offer(external, LAST_NUMBER)), "of long messages too");
    CHECK(!local_bits_external(local_bits_offer(native, LAST_NUMBER)), "and is no part of their number");
    CHECK(fits(external, 5, 9) && fits(native, 5, 9), "receives do not look at it");
}

/* Slots are told from each other to the last one, and leave the number alone. */
static void slots(void)
{
    const uint32_t last = (1u << LOCAL_SLOT_BITS) - 1;

    for (uint32_t bit = 1; bit <= last; bit <<= 1) {
        CHECK(!fits(local_bits(last, 7), last ^ bit, 7), "slots that differ in one bit");
    }
    CHECK(local_bits(last, INT_MAX) >> 55 == 0, "nor is one like a number");
}

//= PUMA-033
//= PUMA-034
//= PUMA-045
//= PUMA-064
//= PUMA-177
int main(void)
{
    TAP_RUN(tags);
    TAP_RUN(numbers);
    TAP_RUN(forms);
    TAP_RUN(slots);
    return tap_done();
}

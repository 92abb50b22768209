/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Streams in one piece and in many; see cuts.h.
 */
#include "tests/fuzz/cuts.h"

#include "tests/fuzz/fuzz.h"

void cuts_count(struct cuts_outcome *outcome, const struct cuts_piece *piece)
{
    FUZZ_DEMAND(piece->offset == outcome->octets && piece->len > 0);
    for (size_t i = 0; i < piece->len; i++) {
        outcome->digest = (outcome->digest ^ piece->octets[i]) * 0x01000193;
    }
    outcome->octets += piece->len;
    outcome->messages += piece->header;
    outcome->complete += piece->left == 0;
}

static void demand_same(const struct cuts_outcome *whole, const struct cuts_outcome *pieces)
{
    FUZZ_DEMAND(whole->complete <= whole->messages && whole->messages - whole->complete <= 1);
    FUZZ_DEMAND(whole->messages == pieces->messages && whole->complete == pieces->complete);
    FUZZ_DEMAND(whole->octets == pieces->octets && whole->digest == pieces->digest);
    FUZZ_DEMAND(whole->end == pieces->end && whole->end_offset == pieces->end_offset);
    FUZZ_DEMAND(whole->missing == pieces->missing && whole->may_end == pieces->may_end);
}

void cuts_compare(cuts_feed *feed, void *one, void *many, const uint8_t *data, size_t size)
{
    struct cuts_outcome whole = {0};
    struct cuts_outcome pieces = {0};
    uint32_t random;

    if (size == 0) {
        return;
    }
    random = 2U * data[0] + 1;
    data++;
    size--;
    feed(one, data, size, &whole);
    feed(many, data, 0, &pieces);
    for (size_t at = 0; at < size;) {
        size_t len;

        random = random * 1664525 + 1013904223;
        len = (random >> 16) % ((random >> 8) % 97 + 1);
        len = len < size - at ? len : size - at;
        feed(many, data + at, len, &pieces);
        at += len;
    }
    demand_same(&whole, &pieces);
}

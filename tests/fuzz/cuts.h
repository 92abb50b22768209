/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the targets share whose input is a stream: it must say the same in one piece and cut into pieces at random.
 */
#ifndef TESTS_FUZZ_CUTS_H
#define TESTS_FUZZ_CUTS_H

#include "wire/octets/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct cuts_outcome is what came out of a stream, as far as it must not depend on the cuts. All is 0 at first. The
 * target fills in the last four whenever it has fed the stream; the others are kept by cuts_count. */
struct cuts_outcome {
    uint64_t messages, complete, octets;
    uint32_t digest;      /* of all octets in their order */
    enum wire_status end; /* why there is no further piece */
    uint64_t end_offset;  /* where the message begins that has not ended */
    uint64_t missing;     /* what it lacks; 0 unless `end` is WIRE_SHORT */
    bool may_end;
};

/* struct cuts_piece is one piece that came out of a stream. */
struct cuts_piece {
    const unsigned char *octets;
    size_t len;
    uint64_t offset; /* in the stream */
    uint64_t left;   /* of the message behind this piece */
    bool header;     /* it begins a message */
};

/* cuts_count - adds a piece to the outcome; demands that it is not empty and follows the one before. */
void cuts_count(struct cuts_outcome *outcome, const struct cuts_piece *piece);

/* cuts_feed - of a target: gives `len` octets to the stream, and counts and checks every piece that comes out. */
typedef void cuts_feed(void *stream, const uint8_t *octets, size_t len, struct cuts_outcome *outcome);

/* cuts_compare - feeds the input without its first octet to `one` in one piece, and to `many`, a stream at its
 * beginning too, in pieces that the first octet seeds. Demands that both say the same. Does nothing with an empty
 * input. */
void cuts_compare(cuts_feed *feed, void *one, void *many, const uint8_t *data, size_t size);

#endif

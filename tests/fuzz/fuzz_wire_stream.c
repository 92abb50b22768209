/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: a stream cut into pieces at random gives the same messages as the stream in one piece. The first octet
 * of the input seeds the cuts.
 */
#include "tests/fuzz/cuts.h"
#include "tests/fuzz/fuzz.h"
#include "wire/portals/stream.h"

static void feed(void *context, const uint8_t *octets, size_t len, struct cuts_outcome *outcome)
{
    struct wire_stream *stream = context;
    struct wire_piece piece;

    while ((outcome->end = wire_stream_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        bool header = piece.kind == WIRE_STREAM_HEADER;

        cuts_count(outcome, &(struct cuts_piece){piece.octets, piece.len, piece.offset, piece.left, header});
        FUZZ_DEMAND(wire_portals_kind(piece.header) == piece.message->operation);
        FUZZ_DEMAND(!header || piece.len == piece.message->octets);
    }
    FUZZ_DEMAND(outcome->end != WIRE_SHORT || len == 0);
    outcome->end_offset = stream->message_offset;
    outcome->missing = outcome->end == WIRE_SHORT ? wire_stream_missing(stream) : 0;
    outcome->may_end = wire_stream_may_end(stream);
    FUZZ_DEMAND(outcome->end != WIRE_SHORT || outcome->may_end == (outcome->missing == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_stream one = wire_stream_begin();
    struct wire_stream many = wire_stream_begin();

    cuts_compare(feed, &one, &many, data, size);
    return 0;
}

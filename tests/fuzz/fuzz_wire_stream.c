/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: a stream cut into pieces at random gives the same messages as the stream in one piece. The first octet
 * of the input seeds the cuts.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/stream.h"

#include <string.h>

/* What came out, as far as it must not depend on the cuts. */
struct outcome {
    uint64_t messages;
    uint64_t complete;
    uint64_t octets;
    uint32_t digest; /* of all octets in their order */
    enum wire_status end;
    uint64_t end_offset;
    uint64_t missing;
    bool may_end;
};

static void feed(struct wire_stream *stream, const uint8_t *octets, size_t len, struct outcome *outcome)
{
    struct wire_piece piece;

    while ((outcome->end = wire_stream_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        FUZZ_DEMAND(piece.offset == outcome->octets);
        FUZZ_DEMAND(piece.len > 0 && piece.header->operation == piece.message->operation);
        FUZZ_DEMAND(piece.kind != WIRE_STREAM_HEADER || piece.len == piece.message->octets);
        for (size_t i = 0; i < piece.len; i++) {
            outcome->digest = (outcome->digest ^ piece.octets[i]) * 0x01000193;
        }
        outcome->octets += piece.len;
        outcome->messages += piece.kind == WIRE_STREAM_HEADER;
        outcome->complete += piece.left == 0;
    }
    FUZZ_DEMAND(outcome->end != WIRE_SHORT || len == 0);
}

static void finish(const struct wire_stream *stream, struct outcome *outcome)
{
    outcome->end_offset = stream->message_offset;
    outcome->missing = outcome->end == WIRE_SHORT ? wire_stream_missing(stream) : 0;
    outcome->may_end = wire_stream_may_end(stream);
    FUZZ_DEMAND(outcome->complete <= outcome->messages && outcome->messages - outcome->complete <= 1);
    FUZZ_DEMAND(outcome->end != WIRE_SHORT || outcome->may_end == (outcome->missing == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_stream one = wire_stream_begin();
    struct wire_stream many = wire_stream_begin();
    struct outcome whole = {0};
    struct outcome pieces = {0};
    uint32_t random = size ? 2U * data[0] + 1 : 1;

    if (size == 0) {
        return 0;
    }
    data++;
    size--;
    feed(&one, data, size, &whole);
    finish(&one, &whole);
    feed(&many, data, 0, &pieces);
    for (size_t at = 0; at < size;) {
        size_t len;

        random = random * 1664525 + 1013904223;
        len = (random >> 16) % ((random >> 8) % 97 + 1);
        len = len < size - at ? len : size - at;
        feed(&many, data + at, len, &pieces);
        at += len;
    }
    finish(&many, &pieces);
    FUZZ_DEMAND(whole.messages == pieces.messages && whole.complete == pieces.complete);
    FUZZ_DEMAND(whole.octets == pieces.octets && whole.digest == pieces.digest);
    FUZZ_DEMAND(whole.end == pieces.end && whole.end_offset == pieces.end_offset);
    FUZZ_DEMAND(whole.missing == pieces.missing && whole.may_end == pieces.may_end);
    return 0;
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: either direction between IMPI client and server, cut into pieces at random, says the same as in one
 * piece; every message encodes to its octets again. The lowest bit of the first octet of the input chooses the
 * direction, the next two whether and which authentication method is told, the octet as a whole seeds the cuts.
 */
#include "tests/fuzz/fuzz.h"
#include "wire/impi_labels.h"
#include "wire/impi_startup.h"
#include "wire/print.h"

#include <string.h>

/* What came out, as far as it must not depend on the cuts. */
struct outcome {
    uint64_t messages, complete, octets;
    uint32_t digest; /* of all octets in their order */
    enum wire_status end;
    uint64_t end_offset, missing;
};

static void through_codec(enum wire_impi_direction direction, const struct wire_impi_startup_piece *piece)
{
    unsigned char again[WIRE_IMPI_COMMAND_MAX];
    char line[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(line, sizeof line);
    size_t used = 0;

    FUZZ_DEMAND(wire_impi_command_encode(direction, piece->command, again, sizeof again, &used) == WIRE_OK);
    FUZZ_DEMAND(used == piece->len && memcmp(again, piece->octets, used) == 0);
    FUZZ_DEMAND(wire_impi_command_encode(direction, piece->command, again, used - 1, &used) == WIRE_NO_SPACE);
    wire_print_json_fields(&text, piece->message, piece->offset, piece->octets, piece->len);
    wire_print_fields(&text, piece->message, piece->offset, piece->octets, piece->len);
    FUZZ_DEMAND(!text.failed);
}

static void feed(struct wire_impi_startup *stream, const uint8_t *octets, size_t len, struct outcome *outcome)
{
    struct wire_impi_startup_piece piece;

    while ((outcome->end = wire_impi_startup_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        FUZZ_DEMAND(piece.offset == outcome->octets && piece.len > 0);
        if (piece.kind == WIRE_IMPI_COMMAND) {
            FUZZ_DEMAND(piece.len == piece.message->octets);
            through_codec(stream->direction, &piece);
            outcome->messages++;
        }
        for (size_t i = 0; i < piece.len; i++) {
            outcome->digest = (outcome->digest ^ piece.octets[i]) * 0x01000193;
        }
        outcome->octets += piece.len;
        outcome->complete += piece.left == 0;
    }
    FUZZ_DEMAND(outcome->end == WIRE_TOO_LONG || len == 0);
}

static void finish(const struct wire_impi_startup *stream, struct outcome *outcome)
{
    outcome->end_offset = stream->message_offset;
    outcome->missing = outcome->end == WIRE_SHORT ? wire_impi_startup_missing(stream) : 0;
    FUZZ_DEMAND(outcome->complete <= outcome->messages && outcome->messages - outcome->complete <= 1);
}

static struct wire_impi_startup begin(unsigned how)
{
    struct wire_impi_startup stream = wire_impi_startup_begin(how & 1 ? WIRE_IMPI_FROM_SERVER : WIRE_IMPI_FROM_CLIENT);

    if (how & 2) {
        wire_impi_startup_method(&stream, how & 4 ? WIRE_IMPI_AUTH_KEY : WIRE_IMPI_AUTH_NONE);
    }
    return stream;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct outcome whole = {0};
    struct outcome pieces = {0};
    struct wire_impi_startup one, many;
    uint32_t random;

    if (size == 0) {
        return 0;
    }
    one = many = begin(data[0]);
    random = 2U * data[0] + 1;
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
    FUZZ_DEMAND(whole.end == pieces.end && whole.end_offset == pieces.end_offset && whole.missing == pieces.missing);
    return 0;
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: either direction between IMPI client and server, cut into pieces at random, says the same as in one
 * piece; every message encodes to its octets again. The lowest bit of the first octet of the input chooses the
 * direction, the next two whether and which authentication method is told, the octet as a whole seeds the cuts.
 */
#include "tests/fuzz/cuts.h"
#include "tests/fuzz/fuzz.h"
#include "wire/impi/labels.h"
#include "wire/impi/startup.h"
#include "wire/octets/print.h"

#include <string.h>

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

static void feed(void *stream, const uint8_t *octets, size_t len, struct cuts_outcome *outcome)
{
    struct wire_impi_startup *startup = stream;
    struct wire_impi_startup_piece piece;

    while ((outcome->end = wire_impi_startup_next(startup, &octets, &len, &piece)) == WIRE_OK) {
        bool header = piece.kind == WIRE_IMPI_COMMAND;

        cuts_count(outcome, &(struct cuts_piece){piece.octets, piece.len, piece.offset, piece.left, header});
        if (header) {
            FUZZ_DEMAND(piece.len == piece.message->octets);
            through_codec(startup->direction, &piece);
        }
    }
    FUZZ_DEMAND(outcome->end == WIRE_TOO_LONG || len == 0);
    outcome->end_offset = startup->message_offset;
    outcome->missing = outcome->end == WIRE_SHORT ? wire_impi_startup_missing(startup) : 0;
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
    struct wire_impi_startup one = begin(size > 0 ? data[0] : 0);
    struct wire_impi_startup many = one;

    cuts_compare(feed, &one, &many, data, size);
    return 0;
}

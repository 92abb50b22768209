/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fuzz target: a channel between IMPI hosts, cut into pieces at random, holds the same packets as in one piece; every
 * header encodes to its octets again, through the codec and, field by field, through the rows. The first octet of the
 * input seeds the cuts.
 */
#include "tests/fuzz/cuts.h"
#include "tests/fuzz/fuzz.h"
#include "wire/impi/packet.h"
#include "wire/octets/print.h"

#include <string.h>

static void through_rows(const unsigned char *octets, uint32_t type)
{
    const struct wire_message *message = wire_impi_packet_message(type);
    unsigned char again[WIRE_IMPI_PACKET_OCTETS] = {0};

    for (size_t i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        uint64_t value = 0;

        if (row->base == WIRE_HOST) {
            memcpy(again + row->offset, wire_row_octets(row, octets, WIRE_IMPI_PACKET_OCTETS), row->width);
            continue;
        }
        FUZZ_DEMAND(wire_row_get(row, octets, WIRE_IMPI_PACKET_OCTETS, &value) == WIRE_OK);
        FUZZ_DEMAND(wire_row_set(row, again, sizeof again, value) == WIRE_OK);
    }
    FUZZ_DEMAND(memcmp(again, octets, sizeof again) == 0);
}

static void through_codec(const struct wire_impi_packets_piece *piece)
{
    unsigned char again[WIRE_IMPI_PACKET_OCTETS];
    char line[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(line, sizeof line);
    const struct wire_message *message = wire_impi_packet_message(piece->packet->type);

    FUZZ_DEMAND(wire_impi_packet_encode(piece->packet, again, sizeof again) == WIRE_OK);
    FUZZ_DEMAND(piece->len == sizeof again && memcmp(again, piece->octets, sizeof again) == 0);
    through_rows(piece->octets, piece->packet->type);
    wire_print_json_open(&text, message, piece->offset, piece->octets, piece->len);
    wire_print_fields(&text, message, piece->offset, piece->octets, piece->len);
    FUZZ_DEMAND(!text.failed);
}

static void feed(void *stream, const uint8_t *octets, size_t len, struct cuts_outcome *outcome)
{
    struct wire_impi_packets *packets = stream;
    struct wire_impi_packets_piece piece;

    while ((outcome->end = wire_impi_packets_next(packets, &octets, &len, &piece)) == WIRE_OK) {
        bool header = piece.kind == WIRE_IMPI_HEADER;

        cuts_count(outcome, &(struct cuts_piece){piece.octets, piece.len, piece.offset, piece.left, header});
        if (header) {
            FUZZ_DEMAND(piece.left == (wire_impi_packet_has_data(piece.packet->type) ? piece.packet->len : 0));
            through_codec(&piece);
        }
    }
    FUZZ_DEMAND(outcome->end == WIRE_UNKNOWN || len == 0);
    outcome->end_offset = packets->packet_offset;
    outcome->missing = outcome->end == WIRE_SHORT ? wire_impi_packets_missing(packets) : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct wire_impi_packets one = wire_impi_packets_begin();
    struct wire_impi_packets many = wire_impi_packets_begin();

    cuts_compare(feed, &one, &many, data, size);
    return 0;
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay decode --proto impi-packet`: the packets between IMPI hosts, through wire/impi/packet.h. JSON has all fields
 * of a header, whether its packet uses them or not, so that encoding gives the same octets again; the text for people
 * leaves out what means nothing and is zero, and marks what means nothing and is not.
 */
#include "tester/commands/codec/decode.h"
#include "wire/octets/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static void print_fields(struct wire_text *text, const struct wire_impi_packets_piece *piece)
{
    static const unsigned char zeros[WIRE_IMPI_HOST_OCTETS];
    const struct wire_message *message = wire_impi_packet_message(piece->packet->type);

    wire_text_add_u64(text, piece->offset);
    wire_text_add(text, ": ");
    wire_text_add(text, message->label);
    wire_text_add(text, "\n");
    for (size_t i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        bool used = wire_impi_packet_uses(message->operation, row);

        if (used || memcmp(piece->octets + row->offset, zeros, row->width) != 0) {
            wire_print_line(text, row, piece->octets, piece->len);
            wire_text_add(text, used ? "\n" : " (means nothing here)\n");
        }
    }
}

static void print_header(struct cmd_decoding *decoding, const struct wire_impi_packets_piece *piece)
{
    static char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);
    const struct wire_message *message = wire_impi_packet_message(piece->packet->type);

    if (decoding->proto.text) {
        print_fields(&text, piece);
        wire_text_add(&text, piece->left ? "    Data                    " : "");
    } else {
        wire_print_json_open(&text, message, piece->offset, piece->octets, piece->len);
    }
    fputs(buffer, stdout);
    decoding->open = true;
}

static void close_line(struct cmd_decoding *decoding, const char *error)
{
    char line[256];
    struct wire_text text = wire_text_over(line, sizeof line);

    if (!decoding->proto.text) {
        wire_print_json_close(&text, wire_impi_packet_message(decoding->packets.packet.type), error);
    } else if (error) {
        wire_text_add(&text, " ... ");
        wire_text_add(&text, error);
    }
    puts(line);
    decoding->open = false;
}

static int take(struct cmd_decoding *decoding, const unsigned char *octets, size_t len)
{
    struct wire_impi_packets *packets = &decoding->packets;
    struct wire_impi_packets_piece piece;
    enum wire_status status;

    while ((status = wire_impi_packets_next(packets, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_IMPI_HEADER) {
            print_header(decoding, &piece);
        } else {
            cmd_decode_digits(piece.octets, piece.len);
        }
        if (piece.left == 0) {
            close_line(decoding, NULL);
        }
    }
    if (status != WIRE_SHORT) {
        return cmd_proto_fail(
            &decoding->proto, "offset %" PRIu64 ": no packet begins with %02x %02x %02x %02x: unknown pk_type",
            packets->packet_offset, packets->kept[0], packets->kept[1], packets->kept[2], packets->kept[3]);
    }
    return CMD_PROTO_GO;
}

static struct cmd_decode_place place(const struct cmd_decoding *decoding)
{
    const struct wire_impi_packets *packets = &decoding->packets;

    return (struct cmd_decode_place){packets->offset, packets->packet_offset, wire_impi_packets_missing(packets),
                                     decoding->open ? wire_impi_packet_message(packets->packet.type)->name : "packet"};
}

static void cut(struct cmd_decoding *decoding)
{
    close_line(decoding, "cut off");
}

const struct cmd_decoder cmd_decode_packets = {take, place, cut};

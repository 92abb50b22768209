/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay decode --proto portals`: the messages of specs/portals-wire.md, through wire/portals/stream.h.
 */
#include "tester/commands/codec/decode.h"
#include "wire/octets/print.h"
#include "wire/portals/match_bits.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

/* What the match bits of the message at hand say; false: nothing that the user's layout knows, or it has none. */
static bool match_bits_say(const struct cmd_decoding *decoding, char *said, size_t cap)
{
    struct wire_text text = wire_text_over(said, cap);

    return wire_match_text(&text, decoding->proto.match_bits, &decoding->portals.header);
}

/* The end of a message's line. `error` is NULL for a message that is whole. */
static void close_line(struct cmd_decoding *decoding, const char *error)
{
    char line[512];
    struct wire_text text = wire_text_over(line, sizeof line);

    if (!decoding->proto.text) {
        char said[WIRE_MATCH_TEXT_MAX];

        wire_print_json_members(&text, decoding->portals.message);
        if (match_bits_say(decoding, said, sizeof said)) {
            wire_print_json_member(&text, "match_bits", said);
        }
        if (error) {
            wire_print_json_member(&text, "error", error);
        }
        wire_text_add(&text, "}");
    } else if (error) {
        wire_text_add(&text, " ... ");
        wire_text_add(&text, error);
    }
    puts(line);
    decoding->open = false;
}

static void print_header(struct cmd_decoding *decoding, const struct wire_piece *piece)
{
    static char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    if (decoding->proto.text) {
        char said[WIRE_MATCH_TEXT_MAX];

        wire_print_fields(&text, piece->message, piece->offset, piece->octets, piece->len);
        if (match_bits_say(decoding, said, sizeof said)) {
            wire_text_add(&text, "    The match bits say      ");
            wire_text_add(&text, said);
            wire_text_add(&text, "\n");
        }
        wire_text_add(&text, piece->left ? "    Data                    " : "");
    } else {
        wire_print_json_open(&text, piece->message, piece->offset, piece->octets, piece->len);
    }
    fputs(buffer, stdout);
    decoding->open = true;
}

static int take(struct cmd_decoding *decoding, const unsigned char *octets, size_t len)
{
    struct wire_stream *stream = &decoding->portals;
    struct wire_piece piece;
    enum wire_status status;

    while ((status = wire_stream_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_STREAM_HEADER) {
            print_header(decoding, &piece);
        } else {
            cmd_decode_digits(piece.octets, piece.len);
        }
        if (piece.left == 0) {
            close_line(decoding, NULL);
        }
    }
    if (status == WIRE_UNKNOWN) {
        return cmd_proto_fail(
            &decoding->proto, "offset %" PRIu64 ": no message begins with %02x %02x %02x %02x: unknown operation",
            stream->message_offset, stream->kept[0], stream->kept[1], stream->kept[2], stream->kept[3]);
    }
    if (status == WIRE_TOO_LONG) {
        return cmd_proto_fail(&decoding->proto,
                              "offset %" PRIu64 ": the message that begins here has a length above 2^40 octets",
                              stream->message_offset);
    }
    return CMD_PROTO_GO;
}

static struct cmd_decode_place place(const struct cmd_decoding *decoding)
{
    const struct wire_stream *stream = &decoding->portals;

    return (struct cmd_decode_place){stream->offset, stream->message_offset, wire_stream_missing(stream),
                                     decoding->open ? stream->message->name : "message"};
}

static void cut(struct cmd_decoding *decoding)
{
    close_line(decoding, "cut off");
}

const struct cmd_decoder cmd_decode_portals = {take, place, cut};

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay decode`: one direction of a stream as messages for people and scripts. Octets go through the splitter of
 * wire/stream.h in pieces, so input may be longer than memory. Says what the octets say and judges nothing: legality is
 * the checkers' business.
 */
#include "tester/cmd_proto.h"
#include "wire/hex.h"
#include "wire/print.h"
#include "wire/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

int cmd_decode(int argc, char **argv);

static const char usage[] = "usage: assay decode --proto portals [--hex] [--json | --text] FILE|-\n"
                            "\n"
                            "Prints the messages in a stream of octets, one JSON object a line:\n"
                            "  {\"offset\":0,\"message\":\"put\",\"fields\":{...}}\n"
                            "\n"
                            "  --proto P  the protocol: portals\n"
                            "  --hex      the input is hexadecimal text; # begins a comment\n"
                            "  --json     JSON lines (this is the default)\n"
                            "  --text     fields with their labels, for people\n"
                            "\n"
                            "Exit status: 0 all was decoded; 2 usage, or the input is broken: what could be decoded\n"
                            "is printed, and a line on standard error names the offset where it ends.\n";

enum { CHUNK = 65536 };

/* A decoding at work. */
struct decoding {
    struct cmd_proto proto;
    struct wire_stream stream;
    struct wire_hex hex;
    bool open; /* a message's line has been begun */
};

/* The end of a message's line. `error` is NULL for a message that is whole. */
static void close_line(struct decoding *decoding, const char *error)
{
    char line[256];
    struct wire_text text = wire_text_over(line, sizeof line);

    if (!decoding->proto.text) {
        wire_print_json_close(&text, decoding->stream.message, error);
    } else if (error) {
        wire_text_add(&text, " ... ");
        wire_text_add(&text, error);
    }
    puts(line);
    decoding->open = false;
}

static void print_header(struct decoding *decoding, const struct wire_piece *piece)
{
    static char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    if (decoding->proto.text) {
        wire_print_fields(&text, piece->message, piece->offset, piece->octets, piece->len);
        wire_text_add(&text, piece->left ? "    Data                    " : "");
    } else {
        wire_print_json_open(&text, piece->message, piece->offset, piece->octets, piece->len);
    }
    fputs(buffer, stdout);
    decoding->open = true;
}

static void print_payload(const struct wire_piece *piece)
{
    static char digits[2 * CHUNK + 1];
    struct wire_text text = wire_text_over(digits, sizeof digits);

    wire_text_add_octets(&text, piece->octets, piece->len);
    fputs(digits, stdout);
}

/* Prints the messages in `len` more octets; fails where no further message can be found. */
static int take_octets(struct decoding *decoding, const unsigned char *octets, size_t len)
{
    struct wire_stream *stream = &decoding->stream;
    struct wire_piece piece;
    enum wire_status status;

    while ((status = wire_stream_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_STREAM_HEADER) {
            print_header(decoding, &piece);
        } else {
            print_payload(&piece);
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

static int take_hex(struct decoding *decoding, const char *text, size_t text_len)
{
    static unsigned char octets[CHUNK];
    enum wire_status status = WIRE_OK;

    while (text_len && status == WIRE_OK) {
        size_t used = 0;
        size_t made = 0;
        int result;

        status = wire_hex_feed(&decoding->hex, text, text_len, &used, octets, sizeof octets, &made);
        result = take_octets(decoding, octets, made);
        if (result != CMD_PROTO_GO) {
            return result;
        }
        text += used;
        text_len -= used;
    }
    if (status != WIRE_OK) {
        return cmd_proto_fail(&decoding->proto,
                              "line %lu: offset %" PRIu64 ": neither two hexadecimal digits nor a # comment",
                              decoding->hex.line, decoding->stream.offset);
    }
    return CMD_PROTO_GO;
}

/* The input has ended: may it? */
static int take_end(struct decoding *decoding)
{
    const struct wire_stream *stream = &decoding->stream;
    const char *kind = decoding->open ? stream->message->name : "message";

    if (ferror(decoding->proto.input)) {
        return cmd_proto_fail(&decoding->proto, "offset %" PRIu64 ": cannot be read: %s", stream->offset,
                              strerror(errno));
    }
    if (decoding->proto.hex && wire_hex_end(&decoding->hex) != WIRE_OK) {
        return cmd_proto_fail(&decoding->proto, "line %lu: offset %" PRIu64 ": the last octet lacks its second digit",
                              decoding->hex.line, stream->offset);
    }
    if (!wire_stream_may_end(stream)) {
        return cmd_proto_fail(&decoding->proto,
                              "offset %" PRIu64 ": the %s that begins here is cut off at offset %" PRIu64 ", %" PRIu64
                              " or more octets too early",
                              stream->message_offset, kind, stream->offset, wire_stream_missing(stream));
    }
    return CMD_PROTO_GOOD;
}

static int decode_all(struct decoding *decoding)
{
    static unsigned char chunk[CHUNK];
    int status = CMD_PROTO_GO;
    size_t len;

    while (status == CMD_PROTO_GO && (len = fread(chunk, 1, sizeof chunk, decoding->proto.input)) > 0) {
        status = decoding->proto.hex ? take_hex(decoding, (const char *)chunk, len) : take_octets(decoding, chunk, len);
    }
    return status == CMD_PROTO_GO ? take_end(decoding) : status;
}

int cmd_decode(int argc, char **argv)
{
    struct decoding decoding = {.stream = wire_stream_begin(), .hex = {.line = 1}};
    int status = cmd_proto_open(argc, argv, usage, &decoding.proto);

    if (status != CMD_PROTO_GO) {
        return status;
    }
    status = decode_all(&decoding);
    if (decoding.open) {
        close_line(&decoding, "cut off");
    }
    return cmd_proto_close(&decoding.proto, status);
}

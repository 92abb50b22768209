/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay decode`: one direction of a stream as messages for people and scripts. Octets go in pieces through the
 * splitter of their protocol (tester/commands/codec/decode.h), so input may be longer than memory. Says what the octets
 * say and judges nothing: legality is the checkers' business.
 */
#include "tester/commands/codec/decode.h"

#include "tester/commands/commands.h"
#include "wire/octets/hex.h"
#include "wire/octets/text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char usage[] =
    "usage: assay decode --proto PROTOCOL [--hex] [--json | --text] [--match-bits LAYOUT] FILE|-\n"
    "\n"
    "Prints the messages in a stream of octets, one JSON object a line:\n"
    "  {\"offset\":0,\"message\":\"put\",\"fields\":{...}}\n"
    "\n"
    "  --proto P  what the octets are:\n"
    "               portals      one direction of a Portals TCP stream\n"
    "               impi-client  what an IMPI client says to the server\n"
    "               impi-server  what the IMPI server says to a client\n"
    "               impi-packet  what an IMPI host says to another, behind the 4 octets of its rank\n"
    "               intercept    frames of the Intercept network, one behind the other\n"
    "  --hex      the input is hexadecimal text; # begins a comment\n"
    "  --json     JSON lines (this is the default)\n"
    "  --text     fields with their labels, for people\n"
    "  --match-bits LAYOUT\n"
    "             says for Portals messages what the match bits mean, as a library lays them out that you know to "
    "have\n"
    "             sent them: " WIRE_MATCH_NAMES "\n"
    "\n"
    "Where the octets alone do not tell whether a client sent a key, eight octets behind an AUTH that offers the key\n"
    "are one, unless they begin with the code of a command.\n"
    "\n"
    "Exit status: 0 all was decoded; 2 usage, or the input is broken or empty: what could be decoded\n"
    "is printed, and a line on standard error names the offset where it ends.\n";

void cmd_decode_digits(const unsigned char *octets, size_t len)
{
    static char digits[2 * CMD_DECODE_CHUNK + 1];
    struct wire_text text = wire_text_over(digits, sizeof digits);

    wire_text_add_octets(&text, octets, len);
    fputs(digits, stdout);
}

static int take_hex(struct cmd_decoding *decoding, struct wire_hex *hex, const char *text, size_t text_len)
{
    static unsigned char octets[CMD_DECODE_CHUNK];
    enum wire_status status = WIRE_OK;

    while (text_len && status == WIRE_OK) {
        size_t used = 0;
        size_t made = 0;
        int result;

        status = wire_hex_feed(hex, text, text_len, &used, octets, sizeof octets, &made);
        result = decoding->decoder->take(decoding, octets, made);
        if (result != CMD_PROTO_GO) {
            return result;
        }
        text += used;
        text_len -= used;
    }
    if (status != WIRE_OK) {
        return cmd_proto_fail(&decoding->proto,
                              "line %lu: offset %" PRIu64 ": neither two hexadecimal digits nor a # comment", hex->line,
                              decoding->decoder->place(decoding).offset);
    }
    return CMD_PROTO_GO;
}

/* The input has ended: may it? */
static int take_end(const struct cmd_decoding *decoding, const struct wire_hex *hex)
{
    struct cmd_decode_place place = decoding->decoder->place(decoding);

    if (ferror(decoding->proto.input)) {
        return cmd_proto_fail(&decoding->proto, "offset %" PRIu64 ": cannot be read: %s", place.offset,
                              strerror(errno));
    }
    if (decoding->proto.hex && wire_hex_end(hex) != WIRE_OK) {
        return cmd_proto_fail(&decoding->proto, "line %lu: offset %" PRIu64 ": the last octet lacks its second digit",
                              hex->line, place.offset);
    }
    if (place.missing) {
        return cmd_proto_fail(&decoding->proto,
                              "offset %" PRIu64 ": the %s that begins here is cut off at offset %" PRIu64 ", %" PRIu64
                              " or more octets too early",
                              place.begun, place.kind, place.offset, place.missing);
    }
    if (place.offset == 0) {
        return cmd_proto_fail(&decoding->proto, "nothing to decode: the input holds no octets");
    }
    return CMD_PROTO_GOOD;
}

static int decode_all(struct cmd_decoding *decoding)
{
    static unsigned char chunk[CMD_DECODE_CHUNK];
    struct wire_hex hex = {.line = 1};
    int status = CMD_PROTO_GO;
    size_t len;

    while (status == CMD_PROTO_GO && (len = fread(chunk, 1, sizeof chunk, decoding->proto.input)) > 0) {
        status = decoding->proto.hex ? take_hex(decoding, &hex, (const char *)chunk, len)
                                     : decoding->decoder->take(decoding, chunk, len);
    }
    return status == CMD_PROTO_GO ? take_end(decoding, &hex) : status;
}

static const struct cmd_decoder *decoder_of(enum cmd_protocol protocol)
{
    switch (protocol) {
    case CMD_PROTOCOL_PORTALS:
        return &cmd_decode_portals;
    case CMD_PROTOCOL_IMPI_CLIENT:
    case CMD_PROTOCOL_IMPI_SERVER:
        return &cmd_decode_startup;
    case CMD_PROTOCOL_IMPI_PACKET:
        return &cmd_decode_packets;
    case CMD_PROTOCOL_INTERCEPT:
        return &cmd_decode_intercept;
    }
    return NULL;
}

int cmd_decode(int argc, char **argv)
{
    struct cmd_decoding decoding = {.portals = wire_stream_begin(), .packets = wire_impi_packets_begin()};
    int status = cmd_proto_open(argc, argv, usage, &decoding.proto);

    if (status != CMD_PROTO_GO) {
        return status;
    }
    decoding.decoder = decoder_of(decoding.proto.protocol);
    decoding.startup = wire_impi_startup_begin(
        decoding.proto.protocol == CMD_PROTOCOL_IMPI_SERVER ? WIRE_IMPI_FROM_SERVER : WIRE_IMPI_FROM_CLIENT);
    status = decode_all(&decoding);
    if (decoding.open) {
        decoding.decoder->cut(&decoding);
    }
    return cmd_proto_close(&decoding.proto, status);
}

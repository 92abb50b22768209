/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay decode --proto impi-client` and `impi-server`: the two directions between an IMPI client and the server,
 * through wire/impi/startup.h. The values of a label that is known are printed as a list, one member a value; those of
 * any other label, and values that are no whole elements, as data.
 */
#include "tester/commands/codec/decode.h"
#include "wire/impi/labels.h"
#include "wire/octets/print.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* How the payload is printed: the row of its elements, or NULL for data. */
static const struct wire_row *element_of(const struct wire_impi_startup_piece *piece)
{
    const struct wire_impi_command *command = piece->command;
    const struct wire_impi_label *label =
        command->kind == WIRE_IMPI_SAYS_COLL && !command->bare ? wire_impi_label_of(command->label) : NULL;

    return label && piece->left % label->element.width == 0 ? &label->element : NULL;
}

static void print_command(struct cmd_decoding *decoding, const struct wire_impi_startup_piece *piece)
{
    static char buffer[WIRE_PRINT_HEADER_MAX];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);
    const struct wire_row *element = element_of(piece);

    decoding->values = (struct cmd_decode_values){.element = element};
    if (decoding->proto.text) {
        wire_print_fields(&text, piece->message, piece->offset, piece->octets, piece->len);
        wire_text_add(&text, piece->left && !element ? "    Data                    " : "");
    } else {
        wire_print_json_fields(&text, piece->message, piece->offset, piece->octets, piece->len);
        wire_text_add(&text, element ? ",\"values\":[" : piece->left ? ",\"data\":\"" : "");
    }
    fputs(buffer, stdout);
    decoding->open = true;
}

static void print_value(struct cmd_decoding *decoding)
{
    struct cmd_decode_values *values = &decoding->values;
    char buffer[256];
    struct wire_text text = wire_text_over(buffer, sizeof buffer);

    if (decoding->proto.text) {
        wire_print_line(&text, values->element, values->kept, values->kept_len);
        wire_text_add(&text, "\n");
    } else {
        wire_text_add(&text, values->begun ? "," : "");
        wire_print_json_row(&text, values->element, values->kept, values->kept_len);
    }
    fputs(buffer, stdout);
    values->begun = true;
    values->kept_len = 0;
}

static void print_payload(struct cmd_decoding *decoding, const unsigned char *octets, size_t len)
{
    struct cmd_decode_values *values = &decoding->values;

    if (!values->element) {
        cmd_decode_digits(octets, len);
        return;
    }
    while (len) {
        size_t count = values->element->width - values->kept_len;

        count = len < count ? len : count;
        memcpy(values->kept + values->kept_len, octets, count);
        values->kept_len += count;
        octets += count;
        len -= count;
        if (values->kept_len == values->element->width) {
            print_value(decoding);
        }
    }
}

static void close_line(struct cmd_decoding *decoding, bool data, const char *error)
{
    char line[256];
    struct wire_text text = wire_text_over(line, sizeof line);

    if (!decoding->proto.text) {
        wire_text_add(&text, decoding->values.element ? "]" : data ? "\"" : "");
        wire_print_json_end(&text, error);
        wire_text_add(&text, "\n");
    } else {
        wire_text_add(&text, error ? " ... " : "");
        wire_text_add(&text, error ? error : "");
        wire_text_add(&text, "\n");
    }
    fputs(line, stdout);
    decoding->open = false;
}

static int take(struct cmd_decoding *decoding, const unsigned char *octets, size_t len)
{
    struct wire_impi_startup *stream = &decoding->startup;
    struct wire_impi_startup_piece piece;
    enum wire_status status;

    while ((status = wire_impi_startup_next(stream, &octets, &len, &piece)) == WIRE_OK) {
        if (piece.kind == WIRE_IMPI_COMMAND) {
            print_command(decoding, &piece);
        } else {
            print_payload(decoding, piece.octets, piece.len);
        }
        if (piece.left == 0) {
            close_line(decoding, piece.kind == WIRE_IMPI_PAYLOAD, NULL);
        }
    }
    if (status != WIRE_SHORT) {
        return cmd_proto_fail(&decoding->proto,
                              "offset %" PRIu64 ": the message that begins here has a negative length",
                              stream->message_offset);
    }
    return CMD_PROTO_GO;
}

static struct cmd_decode_place place(const struct cmd_decoding *decoding)
{
    const struct wire_impi_startup *stream = &decoding->startup;
    const struct wire_message *message =
        decoding->open ? wire_impi_startup_message(stream->direction, stream->command.kind, stream->command.bare)
                       : NULL;

    return (struct cmd_decode_place){stream->offset, stream->message_offset, wire_impi_startup_missing(stream),
                                     message ? message->name : "message"};
}

static void cut(struct cmd_decoding *decoding)
{
    close_line(decoding, true, "cut off");
}

const struct cmd_decoder cmd_decode_startup = {take, place, cut};

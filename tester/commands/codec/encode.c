/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay encode`: the inverse of `assay decode`. Reads the JSON that decode prints (or that a person wrote in the same
 * form) and writes the octets. Fields are found by walking the rows, so every message of wire/ is known here. It does
 * not judge: any value that fits its field is written, so that forged messages can be made; only where the message
 * would not be what its JSON says (data of another length than the header announces) it refuses.
 */
#include "tester/commands/codec/encode.h"

#include "tester/commands/commands.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: assay encode --proto PROTOCOL [--hex] FILE|-\n"
    "\n"
    "Writes the octets of messages given as JSON, in the form that assay decode prints:\n"
    "  {\"message\":\"barrier\",\"fields\":{\"initiator.nid\":\"127.0.0.1\",...}}\n"
    "The code of a message may be left out, and so may the length of its data, which is given as\n"
    "hexadecimal digits (\"data\":\"00ff\") or, for a label of IMPI, as \"values\":[3,2,2]. Numbers may be\n"
    "JSON numbers or strings, in decimal or with 0x; addresses have dots or colons. A frame of Intercept\n"
    "gets its padding and its CRC.\n"
    "\n"
    "  --proto P  portals, impi-client, impi-server, impi-packet or intercept; see assay decode --help\n"
    "  --hex      write hexadecimal text with a comment for each field\n"
    "\n"
    "Exit status: 0 all was encoded; 2 usage, or the input is broken: the messages before are\n"
    "written, and a line on standard error says which message and what about it.\n";

int cmd_encode_fail(const struct cmd_encoding *encoding, const char *field, const char *what)
{
    return cmd_proto_fail(&encoding->proto, "message %lu%s%s%s: %s", encoding->number, field ? ", field \"" : "",
                          field ? field : "", field ? "\"" : "", what);
}

/* The length of the payload, as the header has it. */
static uint64_t announced(const struct cmd_encoding *encoding)
{
    return encoding->data_len + encoding->message->counted;
}

/* A field that the JSON need not give, because it follows from the rest: the message's code, the payload's length. */
static bool value_implied(const struct cmd_encoding *encoding, size_t row, uint64_t *value)
{
    const struct wire_message *message = encoding->message;
    const char *name;

    if (encoding->proto.protocol == CMD_PROTOCOL_INTERCEPT) {
        return cmd_encode_intercept_implied(encoding, row, value);
    }
    name = row == 0 ? wire_row_value_name(&message->rows[0], message->operation) : NULL;
    if (name && strcmp(name, message->name) == 0) {
        *value = message->operation;
        return true;
    }
    *value = announced(encoding);
    return message->payload_row == (int)row;
}

static int encode_field(struct cmd_encoding *encoding, size_t i)
{
    const struct wire_message *message = encoding->message;
    const struct wire_row *row = &message->rows[i];
    const json_t *json = json_object_get(encoding->fields, row->name);
    const char *wrong = NULL;
    uint64_t value = 0;

    if (json) {
        wrong = cmd_encode_row(row, json, encoding->header, sizeof encoding->header);
    } else if (!value_implied(encoding, i, &value)) {
        wrong = "is missing";
    } else if (wire_row_set(row, encoding->header, sizeof encoding->header, value) != WIRE_OK) {
        wrong = "is larger than the field";
    }
    if (wrong) {
        return cmd_encode_fail(encoding, row->name, wrong);
    }
    if (message->payload_row == (int)i &&
        (wire_row_get(row, encoding->header, sizeof encoding->header, &value) != WIRE_OK ||
         value != announced(encoding))) {
        return cmd_encode_fail(encoding, row->name, "is not the number of octets that follow");
    }
    return CMD_PROTO_GO;
}

static int encode_fields(struct cmd_encoding *encoding)
{
    int status = CMD_PROTO_GO;

    for (size_t i = 0; i < encoding->message->row_count && status == CMD_PROTO_GO; i++) {
        status = encode_field(encoding, i);
    }
    return status;
}

static int find_message(struct cmd_encoding *encoding, const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "message"));

    if (json_object_get(json, "error")) {
        return cmd_encode_fail(encoding, NULL,
                               "is marked as broken by the member \"error\"; there is no telling its octets");
    }
    encoding->fields = json_object_get(json, "fields");
    if (!json_is_object(encoding->fields)) {
        return cmd_encode_fail(encoding, NULL, "member \"fields\" is no object");
    }
    if (!name || !cmd_encode_find(encoding, name)) {
        return cmd_encode_fail(encoding, NULL, "member \"message\" names no message of this protocol");
    }
    return CMD_PROTO_GO;
}

static void print_hex(const unsigned char *octets, size_t len, const char *comment)
{
    for (size_t i = 0; i < len; i++) {
        printf("%02x", octets[i]);
    }
    printf("%*s    # %s\n", len < 8 ? (int)(16 - 2 * len) : 0, "", comment);
}

static void write_message(const struct cmd_encoding *encoding)
{
    const struct wire_message *message = encoding->message;

    if (!encoding->proto.hex) {
        fwrite(encoding->header, 1, message->octets, stdout);
        fwrite(encoding->data_len ? encoding->data : encoding->header, 1, encoding->data_len, stdout);
        fwrite(encoding->tail, 1, encoding->tail_len, stdout);
        return;
    }
    printf("# %s\n", message->label);
    for (size_t i = 0; i < message->row_count; i++) {
        print_hex(encoding->header + message->rows[i].offset, message->rows[i].width, message->rows[i].name);
    }
    if (encoding->data_len) {
        print_hex(encoding->data, encoding->data_len, "data");
    }
    if (encoding->tail_len) {
        print_hex(encoding->tail, encoding->tail_len, "padding, crc");
    }
}

static int encode_message(struct cmd_encoding *encoding, const json_t *json)
{
    int status = find_message(encoding, json);

    status = status == CMD_PROTO_GO ? cmd_encode_names(encoding) : status;
    status = status == CMD_PROTO_GO ? cmd_encode_payload(encoding) : status;
    status = status == CMD_PROTO_GO ? encode_fields(encoding) : status;
    if (status == CMD_PROTO_GO && encoding->proto.protocol == CMD_PROTOCOL_INTERCEPT) {
        status = cmd_encode_intercept_end(encoding);
    }
    if (status == CMD_PROTO_GO) {
        write_message(encoding);
    }
    free(encoding->data);
    encoding->data = NULL;
    encoding->data_len = 0;
    return status;
}

/* Steps over white space between messages. False at the end of the input. */
static bool more(FILE *input)
{
    int c;

    do {
        c = getc(input);
    } while (c == ' ' || c == '\t' || c == '\r' || c == '\n');
    return c != EOF && ungetc(c, input) != EOF;
}

static int encode_all(struct cmd_encoding *encoding)
{
    int status = CMD_PROTO_GO;

    while (status == CMD_PROTO_GO && more(encoding->proto.input)) {
        json_error_t error;
        json_t *json = json_loadf(encoding->proto.input, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);

        encoding->number++;
        if (!json) {
            return cmd_proto_fail(&encoding->proto, "message %lu, line %d of it, column %d: %s", encoding->number,
                                  error.line, error.column, error.text);
        }
        status = encode_message(encoding, json);
        json_decref(json);
    }
    if (status == CMD_PROTO_GO && ferror(encoding->proto.input)) {
        return cmd_proto_fail(&encoding->proto, "cannot be read: %s", strerror(errno));
    }
    return status == CMD_PROTO_GO ? CMD_PROTO_GOOD : status;
}

int cmd_encode(int argc, char **argv)
{
    struct cmd_encoding encoding = {.number = 0};
    int status = cmd_proto_open(argc, argv, usage, &encoding.proto);

    return status == CMD_PROTO_GO ? cmd_proto_close(&encoding.proto, encode_all(&encoding)) : status;
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay encode`: the inverse of `assay decode`. Reads the JSON that decode prints (or that a person wrote in the same
 * form) and writes the octets. Fields are found by walking the rows, so every message of wire/ is known here. It does
 * not judge: any value that fits its field is written, so that forged messages can be made; only where the message
 * would not be what its JSON says (data of another length than the header announces) it refuses.
 */
#include "tester/cmd_proto.h"
#include "wire/hex.h"
#include "wire/portals.h"

#include <arpa/inet.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int cmd_encode(int argc, char **argv);

static const char usage[] = "usage: assay encode --proto portals [--hex] FILE|-\n"
                            "\n"
                            "Writes the octets of messages given as JSON, in the form that assay decode prints:\n"
                            "  {\"message\":\"barrier\",\"fields\":{\"initiator.nid\":\"127.0.0.1\",...}}\n"
                            "The operation may be left out, and so may the length of the data, which is given as\n"
                            "hexadecimal digits (\"data\":\"00ff\"). Numbers may be JSON numbers or strings, in\n"
                            "decimal or with 0x; addresses have dots.\n"
                            "\n"
                            "  --proto P  the protocol: portals\n"
                            "  --hex      write hexadecimal text with a comment for each field\n"
                            "\n"
                            "Exit status: 0 all was encoded; 2 usage, or the input is broken: the messages before are\n"
                            "written, and a line on standard error says which message and what about it.\n";

/* One message on its way from JSON to octets. */
struct encoding {
    struct cmd_proto proto;
    unsigned long number; /* of the message in the input, from 1 */
    const struct wire_message *message;
    json_t *fields; /* borrowed */
    unsigned char header[WIRE_PORTALS_HEADER_MAX];
    unsigned char *data; /* owned; NULL when there is none */
    size_t data_len;
};

static int fail(const struct encoding *encoding, const char *field, const char *what)
{
    return cmd_proto_fail(&encoding->proto, "message %lu%s%s%s: %s", encoding->number, field ? ", field \"" : "",
                          field ? field : "", field ? "\"" : "", what);
}

static bool parse_number(const char *string, uint64_t *value)
{
    char *end = NULL;
    int base = string[0] == '0' && (string[1] == 'x' || string[1] == 'X') ? 16 : 10;
    const char *digits = base == 16 ? string + 2 : string;

    if (base == 16 ? wire_hex_digit(digits[0]) < 0 : digits[0] < '0' || digits[0] > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(digits, &end, base);
    return errno == 0 && *end == 0;
}

static bool parse_string(const struct wire_row *row, const char *string, uint64_t *value)
{
    struct in_addr address;

    for (const struct wire_value *at = row->values; at && at->name; at++) {
        if (strcmp(at->name, string) == 0) {
            *value = at->value;
            return true;
        }
    }
    if (row->base == WIRE_IPV4 && inet_pton(AF_INET, string, &address) == 1) {
        *value = ntohl(address.s_addr);
        return true;
    }
    return parse_number(string, value);
}

static bool parse_value(const struct wire_row *row, const json_t *json, uint64_t *value)
{
    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *value = (uint64_t)json_integer_value(json);
        return true;
    }
    return json_is_string(json) && parse_string(row, json_string_value(json), value);
}

/* A field that the JSON need not give, because it follows from the rest. */
static bool value_implied(const struct encoding *encoding, size_t row, uint64_t *value)
{
    if (row == 0) {
        *value = encoding->message->operation;
        return true;
    }
    *value = encoding->data_len;
    return encoding->message->payload_row == (int)row;
}

static int encode_fields(struct encoding *encoding)
{
    const struct wire_message *message = encoding->message;

    for (size_t i = 0; i < message->row_count; i++) {
        const struct wire_row *row = &message->rows[i];
        const json_t *json = json_object_get(encoding->fields, row->name);
        uint64_t value = 0;

        if (!json && !value_implied(encoding, i, &value)) {
            return fail(encoding, row->name, "is missing");
        }
        if (json && !parse_value(row, json, &value)) {
            return fail(encoding, row->name, "is no whole number, 0x.., address or name that this field can have");
        }
        if (wire_row_set(row, encoding->header, sizeof encoding->header, value) != WIRE_OK) {
            return fail(encoding, row->name, "is larger than the field");
        }
        if (message->payload_row == (int)i && value != encoding->data_len) {
            return fail(encoding, row->name, "is not the number of octets in \"data\"");
        }
    }
    return CMD_PROTO_GO;
}

static int check_names(const struct encoding *encoding)
{
    const char *name;
    json_t *value;

    json_object_foreach(encoding->fields, name, value)
    {
        bool data = strcmp(name, "data") == 0 && encoding->message->payload_row >= 0;

        if (!data && !wire_row_find(encoding->message, name)) {
            return fail(encoding, name, "is no field of this message");
        }
    }
    return CMD_PROTO_GO;
}

static int encode_data(struct encoding *encoding)
{
    const json_t *json = json_object_get(encoding->fields, "data");
    struct wire_hex hex = {.line = 1};
    size_t used = 0;
    size_t len;

    if (!json) {
        return CMD_PROTO_GO;
    }
    if (!json_is_string(json)) {
        return fail(encoding, "data", "is no string of hexadecimal digits");
    }
    len = json_string_length(json);
    encoding->data = malloc(len / 2 + 1);
    if (!encoding->data) {
        return fail(encoding, "data", "does not fit into memory");
    }
    if (strspn(json_string_value(json), "0123456789abcdefABCDEF") != len ||
        wire_hex_feed(&hex, json_string_value(json), len, &used, encoding->data, len / 2 + 1, &encoding->data_len) !=
            WIRE_OK ||
        wire_hex_end(&hex) != WIRE_OK) {
        return fail(encoding, "data", "is not made of pairs of hexadecimal digits");
    }
    return CMD_PROTO_GO;
}

static int find_message(struct encoding *encoding, const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "message"));

    if (json_object_get(json, "error")) {
        return fail(encoding, NULL, "is marked as broken by the member \"error\"; there is no telling its octets");
    }
    encoding->message = name ? wire_portals_message_named(name) : NULL;
    if (!encoding->message) {
        return fail(encoding, NULL, "member \"message\" is none of put, ack, get, reply, barrier, hello");
    }
    encoding->fields = json_object_get(json, "fields");
    if (!json_is_object(encoding->fields)) {
        return fail(encoding, NULL, "member \"fields\" is no object");
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

static void write_message(const struct encoding *encoding)
{
    const struct wire_message *message = encoding->message;

    if (!encoding->proto.hex) {
        fwrite(encoding->header, 1, message->octets, stdout);
        fwrite(encoding->data_len ? encoding->data : encoding->header, 1, encoding->data_len, stdout);
        return;
    }
    printf("# %s\n", message->label);
    for (size_t i = 0; i < message->row_count; i++) {
        print_hex(encoding->header + message->rows[i].offset, message->rows[i].width, message->rows[i].name);
    }
    if (encoding->data_len) {
        print_hex(encoding->data, encoding->data_len, "data");
    }
}

static int encode_message(struct encoding *encoding, const json_t *json)
{
    int status = find_message(encoding, json);

    status = status == CMD_PROTO_GO ? check_names(encoding) : status;
    status = status == CMD_PROTO_GO ? encode_data(encoding) : status;
    status = status == CMD_PROTO_GO ? encode_fields(encoding) : status;
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

static int encode_all(struct encoding *encoding)
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
    struct encoding encoding = {.number = 0};
    int status = cmd_proto_open(argc, argv, usage, &encoding.proto);

    return status == CMD_PROTO_GO ? cmd_proto_close(&encoding.proto, encode_all(&encoding)) : status;
}

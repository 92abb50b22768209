/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The parts of a message of `assay encode`: which message of its protocol it is, its fields, its payload.
 */
#include "tester/commands/codec/encode.h"
#include "wire/impi/labels.h"
#include "wire/impi/packet.h"
#include "wire/impi/startup.h"
#include "wire/intercept/messages.h"
#include "wire/octets/hex.h"
#include "wire/portals/messages.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)WIRE_PORTALS_HEADER_MAX <= (int)CMD_ENCODE_HEADER_MAX &&
                   (int)WIRE_IMPI_PACKET_OCTETS <= (int)CMD_ENCODE_HEADER_MAX &&
                   (int)WIRE_IMPI_COMMAND_MAX <= (int)CMD_ENCODE_HEADER_MAX &&
                   (int)WIRE_INTERCEPT_FIXED_MAX <= (int)CMD_ENCODE_HEADER_MAX,
               "every fixed part has room");

/* ---- which message ---- */

/* A form of start-up has its own field behind the head, or is bare. */
static const struct wire_message *find_form(enum wire_impi_direction direction, const char *name, const json_t *fields)
{
    for (int kind = WIRE_IMPI_SAYS_AUTH; kind <= WIRE_IMPI_SAYS_OTHER; kind++) {
        const struct wire_message *whole = wire_impi_startup_message(direction, (enum wire_impi_kind)kind, false);
        bool bare;

        if (whole && strcmp(whole->name, name) == 0) {
            bare = whole->row_count > 2 && !json_object_get(fields, whole->rows[2].name);
            return wire_impi_startup_message(direction, (enum wire_impi_kind)kind, bare);
        }
    }
    return NULL;
}

bool cmd_encode_find(struct cmd_encoding *encoding, const char *name)
{
    switch (encoding->proto.protocol) {
    case CMD_PROTOCOL_PORTALS:
        encoding->message = wire_portals_message_named(name);
        break;
    case CMD_PROTOCOL_IMPI_CLIENT:
        encoding->message = find_form(WIRE_IMPI_FROM_CLIENT, name, encoding->fields);
        break;
    case CMD_PROTOCOL_IMPI_SERVER:
        encoding->message = find_form(WIRE_IMPI_FROM_SERVER, name, encoding->fields);
        break;
    case CMD_PROTOCOL_IMPI_PACKET:
        encoding->message = wire_impi_packet_named(name);
        break;
    case CMD_PROTOCOL_INTERCEPT:
        encoding->message = wire_intercept_message_named(name);
        break;
    }
    return encoding->message != NULL;
}

/* ---- fields ---- */

static bool parse_digits(const char *string, uint64_t *value)
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

/* A number below zero, which only a WIRE_INT field can have. */
static bool negate(const struct wire_row *row, uint64_t amount, uint64_t *value)
{
    if (row->base != WIRE_INT || amount > wire_row_max(row) / 2 + 1) {
        return false;
    }
    *value = (0 - amount) & wire_row_max(row);
    return true;
}

static bool parse_version(const char *string, uint64_t *value)
{
    const char *dot = strchr(string, '.');
    char major[24];
    uint64_t high = 0;
    uint64_t low = 0;

    if (!dot || (size_t)(dot - string) >= sizeof major) {
        return false;
    }
    memcpy(major, string, (size_t)(dot - string));
    major[dot - string] = 0;
    if (!parse_digits(major, &high) || !parse_digits(dot + 1, &low) || high > UINT32_MAX || low > UINT32_MAX) {
        return false;
    }
    *value = high << 32 | low;
    return true;
}

static bool parse_string(const struct wire_row *row, const char *string, uint64_t *value)
{
    struct in_addr address;
    uint64_t amount = 0;

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
    if (row->base == WIRE_VERSION) {
        return parse_version(string, value);
    }
    if (string[0] == '-') {
        return parse_digits(string + 1, &amount) && negate(row, amount, value);
    }
    return parse_digits(string, value);
}

static bool parse_value(const struct wire_row *row, const json_t *json, uint64_t *value)
{
    json_int_t number = json_integer_value(json);

    if (json_is_integer(json) && number < 0) {
        return negate(row, 0 - (uint64_t)number, value);
    }
    if (json_is_integer(json)) {
        *value = (uint64_t)number;
        return row->base != WIRE_INT || *value <= wire_row_max(row) / 2;
    }
    return json_is_string(json) && parse_string(row, json_string_value(json), value);
}

const char *cmd_encode_row(const struct wire_row *row, const json_t *json, unsigned char *octets, size_t len)
{
    struct in6_addr address;
    uint64_t value = 0;

    if (row->base == WIRE_HOST) {
        if (!json_is_string(json) || inet_pton(AF_INET6, json_string_value(json), &address) != 1 ||
            (size_t)row->offset + row->width > len) {
            return "is no IPv6 address";
        }
        memcpy(octets + row->offset, &address, row->width);
        return NULL;
    }
    if (!parse_value(row, json, &value)) {
        return "is no whole number, 0x.., address or name that this field can have";
    }
    return wire_row_set(row, octets, len, value) == WIRE_OK ? NULL : "is larger than the field";
}

/* ---- the payload ---- */

/* The elements that the payload is made of, or NULL when it can only be given as data. */
static const struct wire_row *element_of(const struct cmd_encoding *encoding)
{
    const struct wire_row *row = wire_row_find(encoding->message, "label");
    const json_t *json = json_object_get(encoding->fields, "label");
    const struct wire_impi_label *label;
    uint64_t value = 0;

    if (!row || !json || !parse_value(row, json, &value) || value > INT32_MAX) {
        return NULL;
    }
    label = wire_impi_label_of((int32_t)value);
    return label ? &label->element : NULL;
}

int cmd_encode_names(const struct cmd_encoding *encoding)
{
    const char *name;
    json_t *value;

    json_object_foreach(encoding->fields, name, value)
    {
        bool payload = encoding->message->payload_row >= 0 &&
                       (strcmp(name, "data") == 0 || (strcmp(name, "values") == 0 && element_of(encoding)));

        if (!payload && !wire_row_find(encoding->message, name)) {
            return cmd_encode_fail(encoding, name, "is no field of this message");
        }
    }
    return CMD_PROTO_GO;
}

static int encode_values(struct cmd_encoding *encoding, const json_t *json)
{
    const struct wire_row *element = element_of(encoding);
    size_t count = json_array_size(json);

    if (!json_is_array(json) || !element) {
        return cmd_encode_fail(encoding, "values", "is no list");
    }
    encoding->data = calloc(count + 1, element->width);
    if (!encoding->data) {
        return cmd_encode_fail(encoding, "values", "do not fit into memory");
    }
    for (size_t i = 0; i < count; i++) {
        const char *wrong =
            cmd_encode_row(element, json_array_get(json, i), encoding->data + i * element->width, element->width);

        if (wrong) {
            return cmd_encode_fail(encoding, "values", wrong);
        }
    }
    encoding->data_len = count * element->width;
    return CMD_PROTO_GO;
}

static int encode_data(struct cmd_encoding *encoding, const json_t *json)
{
    struct wire_hex hex = {.line = 1};
    size_t used = 0;
    size_t len;

    if (!json_is_string(json)) {
        return cmd_encode_fail(encoding, "data", "is no string of hexadecimal digits");
    }
    len = json_string_length(json);
    encoding->data = malloc(len / 2 + 1);
    if (!encoding->data) {
        return cmd_encode_fail(encoding, "data", "does not fit into memory");
    }
    if (strspn(json_string_value(json), "0123456789abcdefABCDEF") != len ||
        wire_hex_feed(&hex, json_string_value(json), len, &used, encoding->data, len / 2 + 1, &encoding->data_len) !=
            WIRE_OK ||
        wire_hex_end(&hex) != WIRE_OK) {
        return cmd_encode_fail(encoding, "data", "is not made of pairs of hexadecimal digits");
    }
    return CMD_PROTO_GO;
}

int cmd_encode_payload(struct cmd_encoding *encoding)
{
    const json_t *data = json_object_get(encoding->fields, "data");
    const json_t *values = json_object_get(encoding->fields, "values");

    if (data && values) {
        return cmd_encode_fail(encoding, "values", "and \"data\" are two payloads for one message");
    }
    if (values) {
        return encode_values(encoding, values);
    }
    return data ? encode_data(encoding, data) : CMD_PROTO_GO;
}

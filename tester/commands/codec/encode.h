/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One message of `assay encode` on its way from JSON to octets.
 */
#ifndef TESTER_COMMANDS_CODEC_ENCODE_H
#define TESTER_COMMANDS_CODEC_ENCODE_H

#include "tester/commands/codec/proto.h"
#include "wire/octets/row.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CMD_ENCODE_HEADER_MAX = 128, /* octets of the longest fixed part */
    CMD_ENCODE_TAIL_MAX = 11,    /* seven octets of padding, four of CRC */
};

struct cmd_encoding {
    struct cmd_proto proto;
    unsigned long number; /* of the message in the input, from 1 */
    const struct wire_message *message;
    json_t *fields; /* borrowed */
    unsigned char header[CMD_ENCODE_HEADER_MAX];
    unsigned char *data; /* owned; NULL when there is none */
    size_t data_len;
    unsigned char tail[CMD_ENCODE_TAIL_MAX]; /* behind the data: an Intercept frame's padding and CRC */
    size_t tail_len;
};

/* cmd_encode_fail - one line on standard error: which message, which field or NULL, what about it. CMD_PROTO_BAD. */
int cmd_encode_fail(const struct cmd_encoding *encoding, const char *field, const char *what);

/* cmd_encode_row - writes the field `row` of a header or an element at `octets`, which has room for it, from its value
 * in JSON. NULL, or what is wrong with the value. */
const char *cmd_encode_row(const struct wire_row *row, const json_t *json, unsigned char *octets, size_t len);

/* cmd_encode_find - finds the message that `name` and the fields mean; false when the protocol has none. */
bool cmd_encode_find(struct cmd_encoding *encoding, const char *name);

/* cmd_encode_payload - makes the payload from the fields "data" or "values". CMD_PROTO_GO or CMD_PROTO_BAD. */
int cmd_encode_payload(struct cmd_encoding *encoding);

/* cmd_encode_names - complains about a field that the message does not have. CMD_PROTO_GO or CMD_PROTO_BAD. */
int cmd_encode_names(const struct cmd_encoding *encoding);

/* cmd_encode_intercept_implied - the value of the row `row` of an Intercept frame, where it follows from the message or
 * its data: kind, type, lengths, reserved fields. False when it must be given. */
bool cmd_encode_intercept_implied(const struct cmd_encoding *encoding, size_t row, uint64_t *value);

/* cmd_encode_intercept_end - makes the tail of an Intercept frame whose header and data are there. CMD_PROTO_GO or
 * CMD_PROTO_BAD. */
int cmd_encode_intercept_end(struct cmd_encoding *encoding);

#endif

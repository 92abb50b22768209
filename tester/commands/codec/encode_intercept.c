/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * `assay encode --proto intercept`: what follows from the rest of a frame, and what stands behind its data.
 */
#include "tester/commands/codec/encode.h"
#include "wire/intercept/crc32.h"
#include "wire/intercept/frame.h"
#include "wire/octets/cursor.h"

#include <string.h>

/* Where every frame has its length. */
static const char length_name[] = "length";

static bool ends_with(const char *name, const char *end)
{
    size_t len = strlen(name);

    return len >= strlen(end) && strcmp(name + len - strlen(end), end) == 0;
}

/* The code by which this row names the message. */
static bool find_code(const struct cmd_encoding *encoding, const struct wire_row *row, uint64_t *value)
{
    for (const struct wire_value *at = row->values; at && at->name; at++) {
        if (strcmp(at->name, encoding->message->name) == 0) {
            *value = at->value;
            return true;
        }
    }
    return false;
}

bool cmd_encode_intercept_implied(const struct cmd_encoding *encoding, size_t i, uint64_t *value)
{
    const struct wire_message *message = encoding->message;
    const struct wire_row *row = &message->rows[i];
    size_t own = message->counted + encoding->data_len;

    if (i == 0) {
        *value = message->operation;
        return true;
    }
    if (ends_with(row->name, "reserved")) {
        *value = 0;
        return true;
    }
    if (strcmp(row->name, length_name) == 0) {
        *value = wire_intercept_padded(own);
        return true;
    }
    if (strcmp(row->name, "rmpp_length") == 0 || strcmp(row->name, "control_length") == 0) {
        *value = own;
        return true;
    }
    return find_code(encoding, row, value);
}

int cmd_encode_intercept_end(struct cmd_encoding *encoding)
{
    const struct wire_message *message = encoding->message;
    size_t own = message->counted + encoding->data_len;
    struct wire_writer writer = wire_writer_over(encoding->tail, sizeof encoding->tail);
    uint64_t length = 0;
    uint32_t crc;

    if (wire_row_get(wire_row_find(message, length_name), encoding->header, sizeof encoding->header, &length) !=
            WIRE_OK ||
        length != wire_intercept_padded(own)) {
        return cmd_encode_fail(encoding, length_name, "is not the number of octets that follow, in whole quadwords");
    }
    while (writer.written < length - own) {
        wire_write_u8(&writer, 0);
    }
    crc = wire_intercept_crc32(0, encoding->header, message->octets);
    crc = wire_intercept_crc32(crc, encoding->data, encoding->data_len);
    crc = wire_intercept_crc32(crc, encoding->tail, writer.written);
    wire_write_u32(&writer, crc);
    encoding->tail_len = writer.written;
    return CMD_PROTO_GO;
}

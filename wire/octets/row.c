/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading and writing one field by its row. This is the slow and general way, for printers, dissectors and forgers;
 * the codecs walk the same rows at compile time.
 */
#include "wire/octets/row.h"

#include "wire/octets/cursor.h"

#include <string.h>

/* A row that describes a width that no number has is a defect of the table, shown as a failed access. */
enum wire_status wire_row_get(const struct wire_row *row, const void *octets, size_t len, uint64_t *value)
{
    struct wire_reader reader = wire_reader_over(octets, len);
    uint64_t got = 0;

    (void)wire_read_octets(&reader, row->offset);
    switch (row->width) {
    case 1:
        got = wire_read_u8(&reader);
        break;
    case 2:
        got = wire_read_u16(&reader);
        break;
    case 4:
        got = wire_read_u32(&reader);
        break;
    case 8:
        got = wire_read_u64(&reader);
        break;
    default:
        return WIRE_MALFORMED;
    }
    if (reader.failed) {
        return WIRE_SHORT;
    }
    *value = got;
    return WIRE_OK;
}

enum wire_status wire_row_set(const struct wire_row *row, void *octets, size_t len, uint64_t value)
{
    struct wire_writer writer = wire_writer_over(octets, len);

    if (value > wire_row_max(row)) {
        return WIRE_MALFORMED;
    }
    (void)wire_write_space(&writer, row->offset);
    switch (row->width) {
    case 1:
        wire_write_u8(&writer, (uint8_t)value);
        break;
    case 2:
        wire_write_u16(&writer, (uint16_t)value);
        break;
    case 4:
        wire_write_u32(&writer, (uint32_t)value);
        break;
    case 8:
        wire_write_u64(&writer, value);
        break;
    default:
        return WIRE_MALFORMED;
    }
    return writer.failed ? WIRE_NO_SPACE : WIRE_OK;
}

const unsigned char *wire_row_octets(const struct wire_row *row, const void *octets, size_t len)
{
    struct wire_reader reader = wire_reader_over(octets, len);

    (void)wire_read_octets(&reader, row->offset);
    return wire_read_octets(&reader, row->width);
}

int64_t wire_row_signed(const struct wire_row *row, uint64_t value)
{
    uint64_t max = wire_row_max(row);

    return value > max / 2 ? -(int64_t)(max - value) - 1 : (int64_t)value;
}

uint64_t wire_row_max(const struct wire_row *row)
{
    return row->width >= 8 ? UINT64_MAX : ((uint64_t)1 << (8 * row->width)) - 1;
}

const struct wire_row *wire_row_find(const struct wire_message *message, const char *name)
{
    for (size_t i = 0; i < message->row_count; i++) {
        if (strcmp(message->rows[i].name, name) == 0) {
            return &message->rows[i];
        }
    }
    return NULL;
}

const char *wire_row_value_name(const struct wire_row *row, uint64_t value)
{
    for (const struct wire_value *at = row->values; at && at->name; at++) {
        if (at->value == value) {
            return at->name;
        }
    }
    return NULL;
}

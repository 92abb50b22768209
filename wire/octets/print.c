/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Printing by rows. Knows no message in particular.
 */
#include "wire/octets/print.h"

#include <string.h>

/* The largest whole number up to which JSON readers with double precision tell neighbours apart. */
#define EXACT_MAX ((uint64_t)1 << 53)

static void add_number(struct wire_text *text, const struct wire_row *row, uint64_t value)
{
    switch (row->base) {
    case WIRE_HEX:
        wire_text_add_hex(text, value, row->width);
        return;
    case WIRE_IPV4:
        wire_text_add_ipv4(text, (uint32_t)value);
        return;
    case WIRE_INT:
        wire_text_add_i64(text, wire_row_signed(row, value));
        return;
    case WIRE_VERSION:
        wire_text_add_u64(text, value >> 32);
        wire_text_add(text, ".");
        wire_text_add_u64(text, value & UINT32_MAX);
        return;
    case WIRE_HOST: /* no number: see add_host */
    case WIRE_DEC:
    case WIRE_ENUM:
        wire_text_add_u64(text, value);
        return;
    }
}

void wire_print_value(struct wire_text *text, const struct wire_row *row, uint64_t value)
{
    const char *name = wire_row_value_name(row, value);

    if (!name) {
        add_number(text, row, value);
        return;
    }
    wire_text_add(text, name);
    wire_text_add(text, " (");
    add_number(text, row, value);
    wire_text_add(text, ")");
}

static void add_quoted(struct wire_text *text, const struct wire_row *row, uint64_t value)
{
    wire_text_add(text, "\"");
    add_number(text, row, value);
    wire_text_add(text, "\"");
}

/* A number that a JSON reader may take for its neighbour. */
static bool is_inexact(const struct wire_row *row, uint64_t value)
{
    int64_t number = row->base == WIRE_INT ? wire_row_signed(row, value) : 0;

    return row->base == WIRE_INT ? number > (int64_t)EXACT_MAX || number < -(int64_t)EXACT_MAX : value > EXACT_MAX;
}

void wire_print_json_value(struct wire_text *text, const struct wire_row *row, uint64_t value)
{
    const char *name = row->base == WIRE_ENUM ? wire_row_value_name(row, value) : NULL;

    if (name) {
        wire_text_add(text, "\"");
        wire_text_add(text, name);
        wire_text_add(text, "\"");
    } else if (row->base == WIRE_HEX || row->base == WIRE_IPV4 || row->base == WIRE_VERSION || is_inexact(row, value)) {
        add_quoted(text, row, value);
    } else {
        add_number(text, row, value);
    }
}

/* A host identifier: octets, not a number. */
static bool add_host(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len)
{
    const unsigned char *at = row->base == WIRE_HOST ? wire_row_octets(row, octets, len) : NULL;

    if (at) {
        wire_text_add_host(text, at);
    }
    return at != NULL;
}

void wire_print_row(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len)
{
    uint64_t value = 0;

    if (add_host(text, row, octets, len)) {
        return;
    }
    if (wire_row_get(row, octets, len, &value) != WIRE_OK) {
        text->failed = true;
        return;
    }
    wire_print_value(text, row, value);
}

void wire_print_json_row(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len)
{
    uint64_t value = 0;

    if (row->base == WIRE_HOST) {
        wire_text_add(text, "\"");
        text->failed = !add_host(text, row, octets, len) || text->failed;
        wire_text_add(text, "\"");
        return;
    }
    if (wire_row_get(row, octets, len, &value) != WIRE_OK) {
        text->failed = true;
        return;
    }
    wire_print_json_value(text, row, value);
}

void wire_print_json_fields(struct wire_text *text, const struct wire_message *message, uint64_t offset,
                            const void *octets, size_t len)
{
    wire_text_add(text, "{\"offset\":");
    wire_text_add_u64(text, offset);
    wire_text_add(text, ",\"message\":\"");
    wire_text_add(text, message->name);
    wire_text_add(text, "\",\"fields\":{");
    for (size_t i = 0; i < message->row_count; i++) {
        wire_text_add(text, i ? ",\"" : "\"");
        wire_text_add(text, message->rows[i].name);
        wire_text_add(text, "\":");
        wire_print_json_row(text, &message->rows[i], octets, len);
    }
}

void wire_print_json_open(struct wire_text *text, const struct wire_message *message, uint64_t offset,
                          const void *octets, size_t len)
{
    wire_print_json_fields(text, message, offset, octets, len);
    if (message->payload_row >= 0) {
        wire_text_add(text, ",\"data\":\"");
    }
}

void wire_print_json_members(struct wire_text *text, const struct wire_message *message)
{
    wire_text_add(text, message->payload_row >= 0 ? "\"}" : "}");
}

void wire_print_json_member(struct wire_text *text, const char *name, const char *value)
{
    wire_text_add(text, ",\"");
    wire_text_add(text, name);
    wire_text_add(text, "\":\"");
    wire_text_add(text, value);
    wire_text_add(text, "\"");
}

void wire_print_json_close(struct wire_text *text, const struct wire_message *message, const char *error)
{
    wire_text_add(text, message->payload_row >= 0 ? "\"" : "");
    wire_print_json_end(text, error);
}

void wire_print_json_end(struct wire_text *text, const char *error)
{
    wire_text_add(text, "}");
    if (error) {
        wire_print_json_member(text, "error", error);
    }
    wire_text_add(text, "}");
}

static void add_padding(struct wire_text *text, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        wire_text_add(text, " ");
    }
}

void wire_print_line(struct wire_text *text, const struct wire_row *row, const void *octets, size_t len)
{
    wire_text_add(text, "    ");
    wire_text_add(text, row->label);
    add_padding(text, strlen(row->label), 24);
    wire_print_row(text, row, octets, len);
}

void wire_print_fields(struct wire_text *text, const struct wire_message *message, uint64_t offset, const void *octets,
                       size_t len)
{
    wire_text_add_u64(text, offset);
    wire_text_add(text, ": ");
    wire_text_add(text, message->label);
    wire_text_add(text, "\n");
    for (size_t i = 0; i < message->row_count; i++) {
        wire_print_line(text, &message->rows[i], octets, len);
        wire_text_add(text, "\n");
    }
}

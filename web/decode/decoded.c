/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Answers of sharkd written anew (decoded.h).
 */
#include "web/decode/decoded.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The columns that sharkd has where nobody has configured any. */
enum column {
    COLUMN_NUMBER,
    COLUMN_TIME,
    COLUMN_SOURCE,
    COLUMN_DESTINATION,
    COLUMN_PROTOCOL,
    COLUMN_OCTETS,
    COLUMN_INFO
};

/* A copy of a text that ends in front of a character that would go beyond the bound; NULL when it is no text. */
static json_t *copy_text(const json_t *text)
{
    const char *octets = json_string_value(text);
    size_t len = json_string_length(text);

    if (!octets) {
        return NULL;
    }
    if (len > DECODED_TEXT_MAX) {
        for (len = DECODED_TEXT_MAX; len > 0 && ((unsigned char)octets[len] & 0xC0) == 0x80;) {
            len--;
        }
    }
    return json_stringn(octets, len);
}

static json_t *copy_number(const json_t *text)
{
    const char *digits = json_string_value(text);
    char *end;
    long number = digits ? strtol(digits, &end, 10) : -1;

    return digits && digits[0] && *end == '\0' && number >= 0 ? json_integer(number) : NULL;
}

static json_t *copy_frame(const json_t *frame)
{
    const json_t *columns = json_object_get(frame, "c");

    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "number", copy_number(json_array_get(columns, COLUMN_NUMBER)), "time",
        copy_text(json_array_get(columns, COLUMN_TIME)), "source", copy_text(json_array_get(columns, COLUMN_SOURCE)),
        "destination", copy_text(json_array_get(columns, COLUMN_DESTINATION)), "protocol",
        copy_text(json_array_get(columns, COLUMN_PROTOCOL)), "octets",
        copy_number(json_array_get(columns, COLUMN_OCTETS)), "info", copy_text(json_array_get(columns, COLUMN_INFO)));
}

json_t *decoded_frames(const json_t *result)
{
    json_t *list = json_is_array(result) ? json_array() : NULL;
    const json_t *frame;
    size_t i;

    json_array_foreach(result, i, frame)
    {
        if (!list || json_array_append_new(list, copy_frame(frame)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* What Wireshark calls a chat is nothing to be told. */
static const char *severity_of(const json_t *field)
{
    static const char *const names[][2] = {{"Note", "note"}, {"Warning", "warning"}, {"Error", "error"}};
    const char *said = json_string_value(json_object_get(field, "s"));

    for (size_t i = 0; said && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(said, names[i][0]) == 0) {
            return names[i][1];
        }
    }
    return NULL;
}

static json_t *copy_fields(const json_t *fields, unsigned depth, unsigned *left);

// NOLINTNEXTLINE(misc-no-recursion): as deep as DECODED_DEPTH_MAX
static json_t *copy_field(const json_t *field, unsigned depth, unsigned *left)
{
    const json_t *below = json_object_get(field, "n");
    const char *severity = severity_of(field);
    json_t *copy = json_pack("{s:o}", "text", copy_text(json_object_get(field, "l")));
    bool good = copy && (!severity || json_object_set_new(copy, "severity", json_string(severity)) == 0) &&
                (!below || json_object_set_new(copy, "fields", copy_fields(below, depth + 1, left)) == 0);

    if (!good) {
        json_decref(copy);
        copy = NULL;
    }
    return copy;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as DECODED_DEPTH_MAX
static json_t *copy_fields(const json_t *fields, unsigned depth, unsigned *left)
{
    json_t *list = json_is_array(fields) && depth <= DECODED_DEPTH_MAX ? json_array() : NULL;
    const json_t *field;
    size_t i;

    if (!list) {
        return NULL;
    }
    json_array_foreach(fields, i, field)
    {
        if (*left == 0 || json_array_append_new(list, copy_field(field, depth, left)) != 0) {
            json_decref(list);
            return NULL;
        }
        --*left;
    }
    return list;
}

json_t *decoded_tree(const json_t *result)
{
    unsigned left = DECODED_FIELDS_MAX;

    return copy_fields(json_object_get(result, "tree"), 1, &left);
}

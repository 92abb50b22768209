/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a request says: headers, arguments, and JSON bodies checked against a table of fields.
 */
#include "web/http/request.h"

#include "web/service/service.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *request_header(const struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *request_argument(const struct request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

int64_t request_id(const struct request *request, size_t parameter)
{
    const char *text = request->parameters[parameter];
    char *end;
    long long id;

    if (text[0] < '1' || text[0] > '9') {
        return 0;
    }
    errno = 0;
    id = strtoll(text, &end, 10);
    return *end == '\0' && errno == 0 ? id : 0;
}

void request_note(struct request *request, const char *about)
{
    snprintf(request->about, sizeof request->about, "%s", about);
}

bool request_base(const struct request *request, char *base, size_t base_octets)
{
    int written;

    if (!request->from.host[0]) {
        return false;
    }
    written = snprintf(base, base_octets, "%s://%s", request->from.tls ? "https" : "http", request->from.host);
    return written > 0 && (size_t)written < base_octets;
}

/* Characters that have no look of their own, or that turn the direction of others: with them one text can be shown as
 * another. */
static bool is_invisible(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e}, {0x200b, 0x200f},
                  {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* The character at `text`, which is UTF-8 that Jansson has checked. */
static uint32_t decode(const unsigned char *text)
{
    static const unsigned char marks[] = {0, 0, 0x1f, 0x0f, 0x07};
    size_t len = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
    uint32_t character = len == 1 ? text[0] : text[0] & marks[len];

    for (size_t i = 1; i < len; i++) {
        character = character << 6 | (text[i] & 0x3f);
    }
    return character;
}

static bool text_allowed(const char *text, bool lines)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if ((*at < 32 || *at == 127) && !(lines && (*at == '\n' || *at == '\t' || *at == '\r'))) {
            return false;
        }
        if (*at >= 0xc0 && is_invisible(decode(at))) {
            return false;
        }
    }
    return true;
}

/* Compares one member with its field; false when the answer has been given. */
static bool check_member(struct request *request, const struct field *field, const json_t *value)
{
    bool absent = !value || json_is_null(value);
    size_t len;

    if (absent) {
        if (field->required) {
            request_reply_error(request, MHD_HTTP_BAD_REQUEST, "missing_field", "The field '%s' is missing.",
                                field->name);
        }
        return !field->required;
    }
    switch (field->kind) {
    case FIELD_NUMBER:
        if (json_is_integer(value) && json_integer_value(value) >= (json_int_t)field->least &&
            json_integer_value(value) <= (json_int_t)field->most) {
            return true;
        }
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field", "'%s' must be a whole number from %zu to %zu.",
                            field->name, field->least, field->most);
        return false;
    case FIELD_OBJECT:
        if (json_is_object(value)) {
            return true;
        }
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_field", "'%s' must be an object.", field->name);
        return false;
    case FIELD_TEXT:
    case FIELD_LINES:
        break;
    }
    len = json_string_length(value);
    if (!json_is_string(value) || len < field->least || len > field->most ||
        !text_allowed(json_string_value(value), field->kind == FIELD_LINES)) {
        request_reply_error(
            request, MHD_HTTP_BAD_REQUEST, "bad_field",
            "'%s' must be a text of %zu to %zu octets without control characters, and without those that are "
            "invisible or turn the direction of writing.",
            field->name, field->least, field->most);
        return false;
    }
    return true;
}

static bool is_plain_name(const char *name)
{
    return strlen(name) <= 40 &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

static bool check_unknown(struct request *request, const struct field *fields, size_t count)
{
    const char *name;
    json_t *value;

    json_object_foreach(request->body, name, value)
    {
        size_t i = 0;

        while (i < count && strcmp(fields[i].name, name) != 0) {
            i++;
        }
        if (i == count) {
            request_reply_error(request, MHD_HTTP_BAD_REQUEST, "unknown_field", "There is no field '%s' here.",
                                is_plain_name(name) ? name : "(unprintable)");
            return false;
        }
    }
    return true;
}

bool request_check_body(struct request *request, const struct field *fields, size_t count)
{
    json_error_t error;

    request->body = json_loadb(request->text ? request->text : "", request->text_len, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(request->body)) {
        request_reply_error(request, MHD_HTTP_BAD_REQUEST, "bad_json",
                            "The body is not a JSON object: line %d, column %d.", request->body ? 1 : error.line,
                            request->body ? 1 : error.column);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!check_member(request, &fields[i], json_object_get(request->body, fields[i].name))) {
            return false;
        }
    }
    return check_unknown(request, fields, count);
}

const char *request_text(const struct request *request, const char *name, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(request->body, name));

    return text ? text : otherwise;
}

int64_t request_number(const struct request *request, const char *name, int64_t otherwise)
{
    const json_t *value = json_object_get(request->body, name);

    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

void request_release(struct request *request)
{
    json_decref(request->body);
    free(request->text);
}

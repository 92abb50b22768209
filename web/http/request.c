/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a request says: headers, arguments, and JSON bodies checked against a table of fields.
 */
#include "web/http/request.h"

#include "tester/base/plain.h"
#include "tester/base/utf8.h"
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

void request_sleep(struct request *request)
{
    request->service->slept += !request->slept;
    request->slept = true;
    MHD_suspend_connection(request->connection);
}

const char *request_argument(const struct request *request, const char *name)
{
    const char *value = MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);

    return value && !utf8_is_whole(value) ? "" : value;
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
    utf8_repair(request->about);
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
        !plain_allowed(json_string_value(value), field->kind == FIELD_LINES)) {
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
    json_decref(request->decode.answer);
    if (request->aside.held) {
        MHD_destroy_response(request->aside.held);
    }
    free(request->text);
}

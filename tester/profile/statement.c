/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading conformance statements (statement.h). What is not known is an error, and not passed over: a vendor who
 * mistypes a limit shall not learn of it from a failure.
 */
#include "tester/profile/statement.h"

#include "tester/base/files.h"
#include "tester/profile/spec_folder.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What a profile knows, the latest revision first: tables of limits and of switches. */
struct known {
    json_t *limits, *switches;
};

/* What is needed to say what is wrong. */
struct reading {
    const char *path, *profile;
    char *message;
    size_t message_octets;
};

static bool wrong(const struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says what is wrong; false. */
static bool wrong(const struct reading *reading, const char *format, ...)
{
    char text[300];
    va_list values;

    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    snprintf(reading->message, reading->message_octets, "%s: %s; see specs/statement.md", files_shown(reading->path),
             text);
    return false;
}

/* Adds what specs/PROFILE.statement.json and specs/PROFILE.switches.json list, then that of the profile whose limits
 * and switches hold too. */
static void know(struct known *known, const char *spec_folder, const char *profile)
{
    json_t *statement = spec_folder_load(spec_folder, profile, "statement.json", NULL, 0);
    json_t *switches = spec_folder_load(spec_folder, profile, "switches.json", NULL, 0);
    const char *also = json_string_value(json_object_get(statement, "also"));

    json_array_extend(known->limits, json_object_get(statement, "limits"));
    json_array_extend(known->switches, json_object_get(switches, "switches"));
    if (also) {
        know(known, spec_folder, also);
    }
    json_decref(statement);
    json_decref(switches);
}

/* The element of an array of objects whose `key` is `value`; NULL when there is none. */
static const json_t *find(const json_t *array, const char *key, const char *value)
{
    const json_t *each;
    size_t i;

    json_array_foreach(array, i, each)
    {
        const char *text = json_string_value(json_object_get(each, key));

        if (text && strcmp(text, value) == 0) {
            return each;
        }
    }
    return NULL;
}

static bool check_limits(const struct reading *reading, const json_t *limits, const json_t *known)
{
    const json_t *value;
    const char *name;

    json_object_foreach((json_t *)limits, name, value)
    {
        const json_t *row = find(known, "name", name);
        json_int_t least = json_integer_value(json_object_get(row, "least"));

        if (!row) {
            return wrong(reading, "%s knows no limit \"%s\"", reading->profile, name);
        }
        if (!json_is_integer(value) || json_integer_value(value) < least) {
            return wrong(reading, "the limit \"%s\" must be a whole number of at least %lld", name, (long long)least);
        }
    }
    return true;
}

static bool check_readings(const struct reading *reading, const json_t *readings, const json_t *known)
{
    const json_t *value;
    const char *name;

    json_object_foreach((json_t *)readings, name, value)
    {
        const json_t *row = find(known, "name", name);
        const char *text = json_string_value(value);

        if (!row) {
            return wrong(reading, "%s knows no switch \"%s\"", reading->profile, name);
        }
        if (!text || !find(json_object_get(row, "readings"), "value", text)) {
            return wrong(reading, "the switch \"%s\" has no reading \"%s\"", name, text ? text : "that is no text");
        }
    }
    return true;
}

/* The members of a statement, each by itself. */
static bool check(const struct reading *reading, const json_t *statement, const struct known *known)
{
    const json_t *value;
    const char *name;

    if (!json_is_object(statement)) {
        return wrong(reading, "it is no JSON object");
    }
    json_object_foreach((json_t *)statement, name, value)
    {
        bool section = strcmp(name, "limits") == 0 || strcmp(name, "readings") == 0;

        if (!section && strcmp(name, "profile") != 0) {
            return wrong(reading, "there is no member \"%s\"", name);
        }
        if (section && !json_is_object(value)) {
            return wrong(reading, "\"%s\" must be an object", name);
        }
    }
    const char *profile = json_string_value(json_object_get(statement, "profile"));
    if (!profile || strcmp(profile, reading->profile) != 0) {
        return wrong(reading, "its \"profile\" must be \"%s\", by which the run judges", reading->profile);
    }
    return check_limits(reading, json_object_get(statement, "limits"), known->limits) &&
           check_readings(reading, json_object_get(statement, "readings"), known->switches);
}

json_t *statement_load(const char *path, const char *spec_folder, const char *profile, char *message,
                       size_t message_octets)
{
    struct reading reading = {path, profile, message, message_octets};
    struct known known = {json_array(), json_array()};
    json_error_t error;
    json_t *statement = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    know(&known, spec_folder, profile);
    if (!statement && error.line > 0) {
        snprintf(message, message_octets, "%s:%d: %s", files_shown(path), error.line, error.text);
    } else if (!statement) {
        snprintf(message, message_octets, "%s", error.text);
    } else if (!check(&reading, statement, &known)) {
        json_decref(statement);
        statement = NULL;
    }
    json_decref(known.limits);
    json_decref(known.switches);
    return statement;
}

const json_t *statement_member(const json_t *statement, const char *section, const char *name)
{
    return json_object_get(json_object_get(statement, section), name);
}

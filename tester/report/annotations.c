/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Annotations for continuous integration (annotations.h): "::error title=TITLE::TEXT", in which what would end a line
 * or a value is written as % and two digits.
 */
#include "tester/report/annotations.h"

#include <stdbool.h>
#include <string.h>

static const char *field(const json_t *result, const char *key)
{
    const char *text = json_string_value(json_object_get(result, key));

    return text ? text : "";
}

static void put_escaped(FILE *out, const char *text, const char *special)
{
    for (; *text; text++) {
        fprintf(out, *text == '%' || strchr(special, *text) ? "%%%02X" : "%c", (unsigned char)*text);
    }
}

static void put(FILE *out, const char *kind, const json_t *result)
{
    static const struct {
        const char *key, *before;
    } parts[] = {{"reason", ""}, {"expected", "\nexpected: "}, {"observed", "\nobserved: "}};

    fprintf(out, "::%s title=", kind);
    put_escaped(out, field(result, "id"), "\r\n:,");
    if (*field(result, "requirement")) {
        fputs(" (", out);
        put_escaped(out, field(result, "requirement"), "\r\n:,");
        fputc(')', out);
    }
    fputs("::", out);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (*field(result, parts[i].key)) {
            put_escaped(out, parts[i].before, "\r\n");
            put_escaped(out, field(result, parts[i].key), "\r\n");
        }
    }
    fputc('\n', out);
}

/* Cases that went wrong alike have one line, of the first that failed or else of the first: none has its own here. */
static bool is_told_by_another(const json_t *report, const char *id)
{
    json_t *cause, *blocked;
    size_t i, place;

    json_array_foreach(json_object_get(report, "causes"), i, cause)
    {
        bool failed = json_array_size(json_object_get(cause, "failed")) > 0;

        json_array_foreach(json_object_get(cause, "blocked"), place, blocked)
        {
            if (strcmp(json_string_value(blocked) ? json_string_value(blocked) : "", id) == 0) {
                return failed || place > 0;
            }
        }
    }
    return false;
}

static bool is_silent(const json_t *report, const json_t *result)
{
    const char *effect = field(json_object_get(result, "waiver"), "effect");

    return strcmp(effect, "waived") == 0 || strcmp(effect, "behind") == 0 || json_object_get(result, "blocked_by") ||
           is_told_by_another(report, field(result, "id"));
}

void annotations_show(FILE *out, const json_t *report)
{
    static const struct {
        const char *verdict, *kind;
    } kinds[] = {{"fail", "error"}, {"inconclusive", "warning"}, {"warn", "warning"}};
    json_t *result;
    size_t i;

    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        json_array_foreach(json_object_get(report, "cases"), i, result)
        {
            if (strcmp(field(result, "verdict"), kinds[kind].verdict) == 0 && !is_silent(report, result)) {
                put(out, kinds[kind].kind, result);
            }
        }
    }
}

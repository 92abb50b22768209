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

void annotations_show(FILE *out, const json_t *report)
{
    json_t *result;
    size_t i;

    json_array_foreach(json_object_get(report, "cases"), i, result)
    {
        const char *verdict = field(result, "verdict"), *effect = field(json_object_get(result, "waiver"), "effect");
        bool excused = strcmp(effect, "waived") == 0 || strcmp(effect, "behind") == 0;

        if (excused || json_object_get(result, "blocked_by")) {
            continue;
        }
        if (strcmp(verdict, "fail") == 0) {
            put(out, "error", result);
        } else if (strcmp(verdict, "inconclusive") == 0 || strcmp(verdict, "warn") == 0) {
            put(out, "warning", result);
        }
    }
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * junit.xml, for continuous integration (junit.h). pass and warn are good, fail is a failure, skip is skipped,
 * inconclusive an error.
 */
#include "tester/report/junit.h"

#include "tester/base/markup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void put_escaped(FILE *file, const char *text)
{
    markup_put(file, text, strlen(text));
}

static const char *field(const json_t *result, const char *key)
{
    const char *text = json_string_value(json_object_get(result, key));

    return text ? text : "";
}

static void put_attribute(FILE *file, const char *name, const char *value)
{
    fprintf(file, " %s=\"", name);
    put_escaped(file, value);
    fputc('"', file);
}

static void put_outcome(FILE *file, const json_t *result, const char *element)
{
    fprintf(file, "    <%s", element);
    put_attribute(file, "message", field(result, "reason"));
    if (strcmp(element, "skipped") == 0) {
        fputs("/>\n", file);
        return;
    }
    put_attribute(file, "type", json_object_get(result, "blocked_by") ? "blocked" : field(result, "axis"));
    fputs(">requirement: ", file);
    put_escaped(file, field(result, "requirement"));
    fputs("\nexpected: ", file);
    put_escaped(file, field(result, "expected"));
    fputs("\nobserved: ", file);
    put_escaped(file, field(result, "observed"));
    fprintf(file, "</%s>\n", element);
}

/* A failure that is waived is none for whoever waits for the outcome; it is shown as what was not judged is. */
static void put_waived(FILE *file, const json_t *result)
{
    fputs("    <skipped message=\"waived by ", file);
    put_escaped(file, field(json_object_get(result, "waiver"), "id"));
    fputs(": ", file);
    put_escaped(file, field(result, "reason"));
    fputs("\"/>\n", file);
}

static bool is_waived(const json_t *result)
{
    const char *effect = field(json_object_get(result, "waiver"), "effect");

    return strcmp(effect, "waived") == 0 || strcmp(effect, "behind") == 0;
}

static double seconds(const json_t *result)
{
    return (double)json_integer_value(json_object_get(result, "duration_ms")) / 1000.0;
}

static void put_case(FILE *file, const json_t *result)
{
    const char *verdict = field(result, "verdict");

    fputs("   <testcase", file);
    put_attribute(file, "classname", field(result, "suite"));
    put_attribute(file, "name", field(result, "id"));
    fprintf(file, " time=\"%.3f\">\n", seconds(result));
    if (is_waived(result)) {
        put_waived(file, result);
    } else if (strcmp(verdict, "fail") == 0) {
        put_outcome(file, result, "failure");
    } else if (strcmp(verdict, "inconclusive") == 0) {
        put_outcome(file, result, "error");
    } else if (strcmp(verdict, "skip") == 0) {
        put_outcome(file, result, "skipped");
    } else if (strcmp(verdict, "warn") == 0) {
        fputs("    <system-out>warning: ", file);
        put_escaped(file, field(result, "reason"));
        fputs("</system-out>\n", file);
    }
    fputs("   </testcase>\n", file);
}

bool junit_write(const struct results *results, const struct outcome *outcome, const char *profile, const char *started,
                 const char *path)
{
    FILE *file = fopen(path, "we");
    size_t index;
    json_t *result;
    double total = 0;

    if (!file) {
        return false;
    }
    json_array_foreach(results->cases, index, result)
    {
        total += seconds(result);
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite", file);
    put_attribute(file, "name", profile);
    put_attribute(file, "timestamp", started);
    fprintf(file, " tests=\"%zu\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
            json_array_size(results->cases), results->counts[VERDICT_FAIL] - results->waived,
            results->counts[VERDICT_INCONCLUSIVE] - results->behind,
            results->counts[VERDICT_SKIP] + results->waived + results->behind, total);
    fputs("   <properties>\n    <property name=\"outcome\"", file);
    put_attribute(file, "value", outcome->words);
    fputs("/>\n   </properties>\n", file);
    json_array_foreach(results->cases, index, result)
    {
        put_case(file, result);
    }
    fputs("  </testsuite>\n</testsuites>\n", file);
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

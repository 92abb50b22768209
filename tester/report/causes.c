/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Grouping what went wrong (causes.h).
 */
#include "tester/report/causes.h"

#include <stdbool.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static bool is(const json_t *one, const char *verdict)
{
    return strcmp(text_of(one, "verdict"), verdict) == 0 && strcmp(text_of(one, "axis"), "sut") == 0;
}

/* What the cases of a group have in common: the symptom, or else that they fail by the same requirement. */
static const char *key_of(const json_t *one)
{
    return *text_of(one, "symptom") ? text_of(one, "symptom") : text_of(one, "requirement");
}

static json_t *find(json_t *causes, const char *key)
{
    json_t *cause;
    size_t i;

    json_array_foreach(causes, i, cause)
    {
        if (strcmp(text_of(cause, "key"), key) == 0) {
            return cause;
        }
    }
    return NULL;
}

static json_t *begin(json_t *causes, const json_t *one, const char *key)
{
    bool symptom = *text_of(one, "symptom"), failed = is(one, "fail");
    json_t *cause = json_pack("{s:s,s:s,s:s,s:s,s:[],s:[]}", "key", key, "text", symptom ? key : text_of(one, "reason"),
                              "requirement", text_of(one, "requirement"), "case", failed ? text_of(one, "id") : "",
                              "failed", "blocked");

    json_array_append_new(causes, cause);
    return cause;
}

/* A fault may have been found by a case behind one whose set-up failed by it. */
static void name_judge(json_t *cause, const json_t *one)
{
    if (!*text_of(cause, "case")) {
        json_object_set(cause, "case", json_object_get(one, "id"));
        json_object_set(cause, "requirement", json_object_get(one, "requirement"));
    }
}

static void take(json_t *causes, const json_t *one)
{
    bool failed = is(one, "fail");
    const char *key = key_of(one);

    if (!*key || !(failed || is(one, "inconclusive"))) {
        return;
    }
    json_t *cause = find(causes, key);
    cause = cause ? cause : begin(causes, one, key);
    if (failed) {
        name_judge(cause, one);
    }
    json_array_append(json_object_get(cause, failed ? "failed" : "blocked"), json_object_get(one, "id"));
}

json_t *causes_of(const json_t *cases)
{
    json_t *causes = json_array(), *one;
    size_t i;

    json_array_foreach(cases, i, one)
    {
        take(causes, one);
    }
    json_array_foreach(causes, i, one)
    {
        json_object_del(one, "key");
    }
    return causes;
}

void causes_sizes(const json_t *cause, char text[CAUSES_SIZES])
{
    size_t failed = json_array_size(json_object_get(cause, "failed"));
    size_t blocked = json_array_size(json_object_get(cause, "blocked"));
    int len = 0;

    text[0] = 0;
    if (failed > 0) {
        len = snprintf(text, CAUSES_SIZES, "%zu case%s failed%s", failed, failed == 1 ? "" : "s", blocked ? ", " : "");
    }
    if (blocked > 0) {
        snprintf(text + len, CAUSES_SIZES - (size_t)len, "%zu %s blocked by it", blocked,
                 failed == 0 ? (blocked == 1 ? "case is" : "cases are") : (blocked == 1 ? "is" : "are"));
    }
}

void causes_show(FILE *out, const json_t *causes)
{
    json_t *cause;
    size_t i;

    if (json_array_size(causes) > 0) {
        fputs("likely causes, in the order in which they showed:\n", out);
    }
    json_array_foreach(causes, i, cause)
    {
        char sizes[CAUSES_SIZES];

        causes_sizes(cause, sizes);
        fprintf(out, "  %s%s%s%s%s%s: %s\n", text_of(cause, "text"), *text_of(cause, "case") ? " (" : "",
                text_of(cause, "requirement"), *text_of(cause, "case") ? ", case " : "", text_of(cause, "case"),
                *text_of(cause, "case") ? ")" : "", sizes);
    }
}

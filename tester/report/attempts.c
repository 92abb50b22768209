/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several attempts at a case (attempts.h).
 */
#include "tester/report/attempts.h"

#include "tester/base/memory.h"
#include "tester/profile/verdict.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* How bad it is. */
static int weight(const json_t *object)
{
    switch (verdict_of(text_of(object, "verdict"))) {
    case VERDICT_SKIP:
        return 0;
    case VERDICT_PASS:
        return 1;
    case VERDICT_WARN:
        return 2;
    case VERDICT_INCONCLUSIVE:
        return 3;
    case VERDICT_FAIL:
        return strcmp(text_of(object, "axis"), "sut") == 0 ? 5 : 4;
    }
    return 0;
}

/* What is kept of an attempt beside the one that counts. */
static json_t *outcome_of(const json_t *object, unsigned attempt)
{
    static const char *const kept[] = {"verdict",  "axis",    "requirement", "reason",      "expected",
                                       "observed", "symptom", "blocked_by",  "duration_ms", "evidence"};
    json_t *outcome = json_pack("{s:i}", "attempt", (int)attempt);

    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        json_t *value = json_object_get(object, kept[i]);

        if (value) {
            json_object_set(outcome, kept[i], value);
        }
    }
    return outcome;
}

unsigned attempts_of(const json_t *object)
{
    return (unsigned)json_integer_value(json_object_get(object, "attempt"));
}

static size_t find(const json_t *cases, const char *id)
{
    size_t i = 0;

    while (i < json_array_size(cases) && strcmp(text_of(json_array_get(cases, i), "id"), id) != 0) {
        i++;
    }
    return i;
}

bool attempts_add(json_t *cases, json_t *attempt)
{
    size_t place = find(cases, text_of(attempt, "id"));
    json_t *object = json_array_get(cases, place), *attempts = json_object_get(object, "attempts");

    if (!object) {
        return json_array_append(cases, attempt) == 0;
    }
    if (!attempts) {
        attempts = json_array();
        json_array_append_new(attempts, outcome_of(object, 1));
        json_object_set_new(object, "attempt", json_integer(1));
        json_object_set_new(object, "attempts", attempts);
    }
    json_array_append_new(attempts, outcome_of(attempt, attempts_of(attempt)));
    bool worse = weight(attempt) > weight(object);
    if (worse) {
        json_t *whole = json_copy(attempt);

        json_object_set(whole, "attempts", attempts);
        json_array_set_new(cases, place, whole);
    }
    return worse;
}

char *attempts_words(const json_t *object)
{
    const json_t *attempts = json_object_get(object, "attempts");
    char *words = memory_text("");

    for (size_t i = 0; i < json_array_size(attempts); i++) {
        char *longer =
            memory_format("%s%s%s", words, *words ? ", " : "", text_of(json_array_get(attempts, i), "verdict"));

        free(words);
        words = longer;
    }
    return words;
}

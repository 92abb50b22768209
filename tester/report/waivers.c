/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waivers (waivers.h). The scope of one is a list of cases, and a list of requirements by which any case may fail.
 */
#include "tester/report/waivers.h"

#include "tester/base/files.h"

#include <stdio.h>
#include <string.h>

enum { WAIVERS_MAX = 200, TEXT_MAX = 400 };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static bool is_date(const char *text)
{
    int year, month, day, end = 0;

    return sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &end) == 3 && end == 10 && text[10] == '\0' &&
           month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool is_list_of_texts(const json_t *list)
{
    bool good = !list || json_is_array(list);

    for (size_t i = 0; good && i < json_array_size(list); i++) {
        good = json_string_length(json_array_get(list, i)) > 0;
    }
    return good;
}

/* The first member that a waiver does not have; NULL: there is none. */
static const char *unknown_member(const json_t *waiver)
{
    static const char *const known[] = {"id", "owner", "reason", "cases", "requirements", "granted_by", "expires"};
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)waiver, name, value)
    {
        size_t i = 0;

        while (i < sizeof known / sizeof known[0] && strcmp(known[i], name) != 0) {
            i++;
        }
        if (i == sizeof known / sizeof known[0]) {
            return name;
        }
    }
    return NULL;
}

/* What is wrong with a waiver; NULL: nothing. */
static const char *fault_of(const json_t *waiver)
{
    static const char *const texts[] = {"id", "owner", "reason"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t len = strlen(text_of(waiver, texts[i]));

        if (len == 0 || len > TEXT_MAX) {
            return "\"id\", \"owner\" and \"reason\" must be texts of 1 to 400 octets";
        }
    }
    if (!is_date(text_of(waiver, "expires"))) {
        return "\"expires\" must be the last day on which it holds, such as \"2027-06-30\"";
    }
    if (!is_list_of_texts(json_object_get(waiver, "cases")) ||
        !is_list_of_texts(json_object_get(waiver, "requirements"))) {
        return "\"cases\" and \"requirements\" must be lists of ids";
    }
    if (json_array_size(json_object_get(waiver, "cases")) + json_array_size(json_object_get(waiver, "requirements")) ==
        0) {
        return "it names neither \"cases\" nor \"requirements\", so nothing is waived";
    }
    return NULL;
}

static bool is_taken(const json_t *waivers, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text_of(json_array_get(waivers, i), "id"), id) == 0) {
            return true;
        }
    }
    return false;
}

bool waivers_check(const json_t *waivers, char *message, size_t message_octets)
{
    if (!json_is_array(waivers) || json_array_size(waivers) > WAIVERS_MAX) {
        snprintf(message, message_octets, "\"waivers\" must be a list of at most %d", WAIVERS_MAX);
        return false;
    }
    for (size_t i = 0; i < json_array_size(waivers); i++) {
        const json_t *waiver = json_array_get(waivers, i);
        const char *unknown = unknown_member(waiver), *fault = fault_of(waiver);

        if (unknown) {
            snprintf(message, message_octets, "waiver %zu: there is no member \"%.60s\"", i + 1, unknown);
        } else if (fault) {
            snprintf(message, message_octets, "waiver %zu: %s", i + 1, fault);
        } else if (is_taken(waivers, i, text_of(waiver, "id"))) {
            snprintf(message, message_octets, "waiver %zu: another one has this \"id\" too", i + 1);
        } else {
            continue;
        }
        return false;
    }
    return true;
}

json_t *waivers_load(const char *path, char *message, size_t message_octets)
{
    char why[300];
    json_error_t error;
    json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    json_t *waivers = json_incref(json_object_get(file, "waivers"));

    if (!file) {
        snprintf(message, message_octets, "%s: %.300s", files_shown(path), error.text);
    } else if (!waivers_check(waivers, why, sizeof why)) {
        snprintf(message, message_octets, "%s: %s; see specs/waivers.md", files_shown(path), why);
        json_decref(waivers);
        waivers = NULL;
    }
    json_decref(file);
    return waivers;
}

/* ---- a run ------------------------------------------------------------------------------------------------------ */

json_t *waivers_open(const json_t *waivers, const char *today)
{
    json_t *list = json_array();

    for (size_t i = 0; i < json_array_size(waivers); i++) {
        json_t *waiver = json_deep_copy(json_array_get(waivers, i));
        bool expired = strcmp(today, text_of(waiver, "expires")) > 0;

        json_object_set_new(waiver, "state", json_string(expired ? "expired" : "unused"));
        json_object_set_new(waiver, "waived", json_array());
        json_object_set_new(waiver, "behind", json_array());
        json_object_set_new(waiver, "not_needed", json_array());
        json_array_append_new(list, waiver);
    }
    return list;
}

static bool has(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *each = json_string_value(json_array_get(list, i));

        if (each && strcmp(each, text) == 0) {
            return true;
        }
    }
    return false;
}

/* What the result is under this waiver. */
static enum waiver_effect effect_of(const json_t *waiver, const json_t *result)
{
    const char *verdict = text_of(result, "verdict"), *blocker;
    const json_t *requirements = json_object_get(waiver, "requirements");
    bool named = has(json_object_get(waiver, "cases"), text_of(result, "id"));

    if (strcmp(verdict, "fail") == 0 && strcmp(text_of(result, "axis"), "sut") == 0) {
        return named || has(requirements, text_of(result, "requirement")) ? WAIVER_WAIVED : WAIVER_NONE;
    }
    if (strcmp(verdict, "pass") == 0) {
        return named ? WAIVER_NOT_NEEDED : WAIVER_NONE;
    }
    blocker = text_of(json_object_get(result, "blocked_by"), "case");
    return *blocker && has(json_object_get(waiver, "waived"), blocker) ? WAIVER_BEHIND : WAIVER_NONE;
}

static void note(json_t *waiver, json_t *result, enum waiver_effect effect)
{
    static const char *const names[] = {
        [WAIVER_WAIVED] = "waived", [WAIVER_BEHIND] = "behind", [WAIVER_NOT_NEEDED] = "not_needed"};

    json_array_append(json_object_get(waiver, names[effect]), json_object_get(result, "id"));
    json_object_set_new(result, "waiver",
                        json_pack("{s:O,s:s}", "id", json_object_get(waiver, "id"), "effect", names[effect]));
    if (effect == WAIVER_WAIVED) {
        json_object_set_new(waiver, "state", json_string("used"));
    }
}

enum waiver_effect waivers_take(json_t *waivers, json_t *result)
{
    for (size_t i = 0; i < json_array_size(waivers); i++) {
        json_t *waiver = json_array_get(waivers, i);
        bool expired = strcmp(text_of(waiver, "state"), "expired") == 0;
        enum waiver_effect effect = expired ? WAIVER_NONE : effect_of(waiver, result);

        if (effect != WAIVER_NONE) {
            note(waiver, result, effect);
            return effect;
        }
    }
    return WAIVER_NONE;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Selecting cases (selection.h). A misspelt name among good ones must not pass unnoticed.
 */
#include "tester/profile/selection.h"

#include "tester/base/memory.h"
#include "tester/base/pairs.h"
#include "tester/profile/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *suite_of(const struct case_info *about)
{
    return about->suite;
}

static const char *id_of(const struct case_info *about)
{
    return about->id;
}

/* Writes the first name of the wanted list that no case has; false when there is a case for each. */
static bool find_unknown(const struct case_list *cases, const char *wanted,
                         const char *(*name_of)(const struct case_info *about), char *name, size_t room)
{
    for (const char *at = wanted; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t count = case_list_count(cases), i = 0;

        snprintf(name, room, "%.*s", (int)strcspn(at, ","), at);
        while (i < count && strcmp(name_of(case_list_at(cases, i)), name) != 0) {
            i++;
        }
        if (i == count) {
            return true;
        }
    }
    return false;
}

enum engine_status selection_make(struct selection *selection, const struct case_list *cases, const char *suites,
                                  const char *ids, char *message, size_t message_octets)
{
    const char *profile = case_list_profile(cases)->name;
    size_t count = case_list_count(cases);
    char unknown[128];

    *selection = (struct selection){.cases = cases};
    if (find_unknown(cases, suites, suite_of, unknown, sizeof unknown)) {
        snprintf(message, message_octets, "profile %s has no suite %s", profile, unknown);
        return ENGINE_NO_CASE;
    }
    if (find_unknown(cases, ids, id_of, unknown, sizeof unknown)) {
        snprintf(message, message_octets, "profile %s has no case %s", profile, unknown);
        return ENGINE_NO_CASE;
    }
    selection->indexes = memory_zero(count * sizeof(size_t));
    for (size_t i = 0; i < count; i++) {
        const struct case_info *about = case_list_at(cases, i);

        if ((!suites || pairs_list_has(suites, about->suite)) && (!ids || pairs_list_has(ids, about->id))) {
            selection->indexes[selection->count++] = i;
        }
    }
    if (selection->count == 0) {
        snprintf(message, message_octets, "profile %s has none of these cases%s%s", profile, suites ? " in suite " : "",
                 suites ? suites : "");
        return ENGINE_NO_CASE;
    }
    return ENGINE_OK;
}

void selection_free(struct selection *selection)
{
    free(selection->indexes);
    *selection = (struct selection){0};
}

const struct case_info *selection_at(const struct selection *selection, size_t place)
{
    return case_list_at(selection->cases, selection->indexes[place]);
}

size_t selection_keep(struct selection *selection, bool (*fits)(const void *context, const struct case_info *about),
                      const void *context)
{
    size_t kept = 0;

    for (size_t i = 0; i < selection->count; i++) {
        if (fits(context, selection_at(selection, i))) {
            selection->indexes[kept++] = selection->indexes[i];
        }
    }
    selection->count = kept;
    return kept;
}

bool selection_wants_own_server(const struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++) {
        if (selection_at(selection, i)->needs_own_server) {
            return true;
        }
    }
    return false;
}

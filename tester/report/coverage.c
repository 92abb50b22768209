/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What was judged of what was selected (coverage.h). A requirement is judged when one of its cases has come to pass,
 * warn or fail; what is only skipped, inconclusive or never begun is not, and the first such case says why.
 */
#include "tester/report/coverage.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 100, ID_ROOM = 16 };

static const char never_begun[] = "the run ended before the case began";

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static bool has_judged(const json_t *result)
{
    const char *verdict = text_of(result, "verdict");

    return strcmp(verdict, "pass") == 0 || strcmp(verdict, "warn") == 0 || strcmp(verdict, "fail") == 0;
}

/* Notes for each requirement of a case, whose result may be missing, true or why it was not judged. */
static void take_case(json_t *found, const struct case_info *about, const json_t *result)
{
    const char *reason = result ? text_of(result, "reason") : never_begun;

    for (const char *const *id = about->requirements; *id; id++) {
        if (result && has_judged(result)) {
            json_object_set_new(found, *id, json_true());
        } else if (!json_object_get(found, *id)) {
            json_object_set_new(found, *id, json_string(reason));
        }
    }
}

/* The requirements that wait for the same; a borrowed array. */
static json_t *group_of(json_t *groups, const char *reason)
{
    json_t *group;
    size_t i;

    json_array_foreach(groups, i, group)
    {
        if (strcmp(text_of(group, "reason"), reason) == 0) {
            return json_object_get(group, "requirements");
        }
    }
    group = json_pack("{s:s,s:[]}", "reason", reason, "requirements");
    json_array_append_new(groups, group);
    return json_object_get(group, "requirements");
}

static int compare(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Groups what was not judged, in the order of the requirements' ids; gives how many were. */
static size_t group_all(json_t *found, json_t *groups)
{
    size_t count = json_object_size(found), at = 0, judged = 0;
    const char **ids = calloc(count + 1, sizeof *ids);
    const char *id;
    json_t *value;

    if (!ids) {
        return 0;
    }
    json_object_foreach(found, id, value)
    {
        ids[at++] = id;
    }
    qsort((void *)ids, count, sizeof *ids, compare);
    for (size_t i = 0; i < count; i++) {
        const char *reason = json_string_value(json_object_get(found, ids[i]));

        if (reason) {
            json_array_append_new(group_of(groups, reason), json_string(ids[i]));
        } else {
            judged++;
        }
    }
    free((void *)ids);
    return judged;
}

json_t *coverage_of(const struct selection *selection, const json_t *results)
{
    json_t *found = json_object(), *groups = json_array();

    for (size_t i = 0; i < selection->count; i++) {
        /* Results come in the order of the selection; there is none for what has not been begun. */
        take_case(found, selection_at(selection, i), json_array_get(results, i));
    }
    size_t count = json_object_size(found), judged = group_all(found, groups);
    json_decref(found);
    return json_pack("{s:I,s:I,s:o}", "requirements", (json_int_t)count, "judged", (json_int_t)judged, "not_judged",
                     groups);
}

void coverage_count(const json_t *coverage, unsigned *requirements, unsigned *judged)
{
    *requirements = (unsigned)json_integer_value(json_object_get(coverage, "requirements"));
    *judged = (unsigned)json_integer_value(json_object_get(coverage, "judged"));
}

/* The ids of a group, in lines that are not too long. */
static void show_ids(FILE *out, const json_t *ids)
{
    int column = LINE_WIDTH;

    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));

        if (!id) {
            continue;
        }
        if (column + ID_ROOM > LINE_WIDTH) {
            column = fprintf(out, "%s   ", i ? "\n" : "") - (i ? 1 : 0);
        }
        column += fprintf(out, " %s", id);
    }
    fputc('\n', out);
}

void coverage_show(FILE *out, const json_t *coverage)
{
    const json_t *groups = json_object_get(coverage, "not_judged");
    unsigned requirements, judged;

    coverage_count(coverage, &requirements, &judged);
    if (judged >= requirements) {
        return;
    }
    fprintf(out, "not judged: %u of %u requirements\n", requirements - judged, requirements);
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);

        fprintf(out, "  %s\n", text_of(group, "reason"));
        show_ids(out, json_object_get(group, "requirements"));
    }
}

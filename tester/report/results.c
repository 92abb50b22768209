/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Results as report.json has them (results.h).
 */
#include "tester/report/results.h"

#include "tester/capture/evidence.h"
#include "tester/profile/case_entry.h"
#include "tester/report/matrix.h"
#include "tester/report/waivers.h"

#include <string.h>
#include <time.h>

void results_open(struct results *results, const json_t *waivers)
{
    time_t now = time(NULL);
    char today[16];
    struct tm utc;

    strftime(today, sizeof today, "%Y-%m-%d", gmtime_r(&now, &utc));
    *results = (struct results){.cases = json_array(), .matrix = json_array(), .waivers = waivers_open(waivers, today)};
}

void results_close(struct results *results)
{
    json_decref(results->cases);
    json_decref(results->matrix);
    json_decref(results->waivers);
    *results = (struct results){0};
}

static json_t *text_list(char *const *texts)
{
    json_t *list = json_array();

    for (; *texts; texts++) {
        json_array_append_new(list, json_string(*texts));
    }
    return list;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text ? json_string(text) : json_null());
}

/* The paths under their kinds, and all that is known of the files. */
static void add_evidence(json_t *object, const struct evidence_file *files, size_t count)
{
    const char *transcript = evidence_path(files, count, "transcript");
    const char *ladder = evidence_path(files, count, "ladder");
    json_t *list = json_array();

    set_text(object, "transcript", transcript ? transcript : "");
    set_text(object, "capture", evidence_path(files, count, "capture"));
    set_text(object, "ladder", ladder ? ladder : "");
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("{s:s,s:s,s:I,s:s}", "kind", files[i].kind, "path", files[i].path,
                                              "octets", (json_int_t)files[i].octets, "sha256", files[i].sha256));
    }
    json_object_set_new(object, "evidence", list);
}

/* What the case has in common with others, and what has kept it from judging. */
static void add_cause(json_t *object, const struct engine_result *result)
{
    if (result->symptom && *result->symptom) {
        set_text(object, "symptom", result->symptom);
    }
    if (result->blocked_by_case && *result->blocked_by_case) {
        json_object_set_new(
            object, "blocked_by",
            json_pack("{s:s,s:s}", "requirement", result->blocked_by_requirement, "case", result->blocked_by_case));
    }
}

static void count(struct results *results, const struct case_info *about, json_t *object, enum verdict verdict)
{
    const char *axis = json_string_value(json_object_get(object, "axis"));
    enum waiver_effect effect = waivers_take(results->waivers, object);

    json_array_append(results->cases, object);
    if (about->cell) {
        json_array_append_new(results->matrix, matrix_cell(about, verdict));
    }
    results->counts[verdict]++;
    results->waived += effect == WAIVER_WAIVED;
    results->behind += effect == WAIVER_BEHIND;
    results->not_needed += effect == WAIVER_NOT_NEEDED;
    results->sut_failures += verdict == VERDICT_FAIL && effect != WAIVER_WAIVED && axis && strcmp(axis, "sut") == 0;
}

json_t *results_add(struct results *results, const struct case_entry *entry, const struct engine_result *result)
{
    json_t *object = json_object();

    set_text(object, "id", entry->about.id);
    set_text(object, "title", entry->about.title);
    set_text(object, "suite", entry->about.suite);
    set_text(object, "chapter", entry->about.chapter);
    set_text(object, "chapter_title", entry->about.chapter_title);
    json_object_set_new(object, "requirements", text_list(entry->requirements));
    set_text(object, "verdict", verdict_name(result->verdict));
    set_text(object, "axis", result->axis);
    set_text(object, "requirement", result->requirement);
    set_text(object, "reason", result->reason);
    set_text(object, "expected", result->expected);
    set_text(object, "observed", result->observed);
    add_cause(object, result);
    add_evidence(object, result->evidence, result->evidence_count);
    set_text(object, "file", entry->about.file);
    set_text(object, "source_sha256", entry->source_sha256);
    json_object_set_new(object, "duration_ms", json_integer(result->duration_ms));
    count(results, &entry->about, object, result->verdict);
    json_decref(object);
    return object;
}

void results_restore(struct results *results, const struct case_info *about, json_t *object)
{
    count(results, about, object, verdict_of(json_string_value(json_object_get(object, "verdict"))));
}

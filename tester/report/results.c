/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Results as report.json has them (results.h).
 */
#include "tester/report/results.h"

#include "tester/capture/evidence.h"
#include "tester/profile/case_entry.h"
#include "tester/report/attempts.h"
#include "tester/report/matrix.h"
#include "tester/report/waivers.h"

#include <string.h>
#include <time.h>

/* The waivers as they are before any case. */
static json_t *fresh_waivers(const json_t *waivers)
{
    time_t now = time(NULL);
    char today[16];
    struct tm utc;

    strftime(today, sizeof today, "%Y-%m-%d", gmtime_r(&now, &utc));
    return waivers_open(waivers, today);
}

void results_open(struct results *results, const json_t *waivers)
{
    *results = (struct results){.cases = json_array(), .matrix = json_array(), .waivers = fresh_waivers(waivers)};
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

static enum verdict verdict_in(const json_t *object)
{
    return verdict_of(json_string_value(json_object_get(object, "verdict")));
}

static void count(struct results *results, json_t *object)
{
    const char *axis = json_string_value(json_object_get(object, "axis"));
    enum waiver_effect effect = waivers_take(results->waivers, object);
    enum verdict verdict = verdict_in(object);

    results->counts[verdict]++;
    results->waived += effect == WAIVER_WAIVED;
    results->behind += effect == WAIVER_BEHIND;
    results->not_needed += effect == WAIVER_NOT_NEEDED;
    results->sut_failures += verdict == VERDICT_FAIL && effect != WAIVER_WAIVED && axis && strcmp(axis, "sut") == 0;
}

/* Everything anew: a waiver says of each case what its outcome counts for, in their order. */
static void count_again(struct results *results)
{
    json_t *waivers = fresh_waivers(results->waivers), *object;
    size_t i;

    json_decref(results->waivers);
    results->waivers = waivers;
    memset(results->counts, 0, sizeof results->counts);
    results->sut_failures = results->waived = results->behind = results->not_needed = 0;
    json_array_foreach(results->cases, i, object)
    {
        json_object_del(object, "waiver");
        count(results, object);
    }
}

/* The cell of a case comes to what its worst attempt came to. */
static void change_cell(struct results *results, const struct case_info *about, enum verdict verdict)
{
    json_t *cell;
    size_t i;

    json_array_foreach(results->matrix, i, cell)
    {
        const char *id = json_string_value(json_object_get(cell, "case"));

        if (id && strcmp(id, about->id) == 0) {
            json_array_set_new(results->matrix, i, matrix_cell(about, verdict));
        }
    }
}

/* Takes what a case came to; false: it stands beside what the case had come to before. */
static bool take(struct results *results, const struct case_info *about, json_t *object)
{
    if (attempts_of(object) > 0) {
        bool counts = attempts_add(results->cases, object);

        if (counts) {
            change_cell(results, about, verdict_in(object));
            count_again(results);
        }
        return counts;
    }
    json_array_append(results->cases, object);
    count(results, object);
    if (about->cell) {
        json_array_append_new(results->matrix, matrix_cell(about, verdict_in(object)));
    }
    return true;
}

json_t *results_add(struct results *results, const struct case_entry *entry, struct engine_result *result)
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
    if (result->attempt > 0) {
        json_object_set_new(object, "attempt", json_integer(result->attempt));
    }
    result->counts = take(results, &entry->about, object);
    return object;
}

void results_restore(struct results *results, const struct case_info *about, json_t *object)
{
    take(results, about, object);
}

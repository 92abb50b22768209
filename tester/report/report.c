/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * report.json, and what a run comes to (report.h).
 */
#include "tester/report/report.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/profile/case_entry.h"
#include "tester/profile/profile.h"
#include "tester/report/coverage.h"
#include "tester/report/html.h"
#include "tester/report/matrix.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Decides what the run has come to, of which `coverage` tells how much it has judged. */
static void decide(const struct engine_run *run, const json_t *coverage, struct outcome *outcome)
{
    struct outcome_facts facts = {.sut_failures = run->sut_failures, .problem = run->problem};

    memcpy(facts.counts, run->counts, sizeof facts.counts);
    coverage_count(coverage, &facts.requirements, &facts.judged);
    outcome_decide(&facts, outcome);
}

void report_outcome(const struct engine_run *run, struct outcome *outcome)
{
    json_t *coverage = coverage_of(run);

    decide(run, coverage, outcome);
    json_decref(coverage);
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

void report_add(struct engine_run *run, const struct case_entry *entry, const struct engine_result *result)
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
    add_evidence(object, result->evidence, result->evidence_count);
    set_text(object, "file", entry->about.file);
    set_text(object, "source_sha256", entry->source_sha256);
    json_object_set_new(object, "duration_ms", json_integer(result->duration_ms));
    json_array_append_new(run->results, object);
    if (entry->about.cell) {
        json_array_append_new(run->matrix, matrix_cell(&entry->about, result->verdict));
    }

    run->counts[result->verdict]++;
    run->sut_failures += result->verdict == VERDICT_FAIL && strcmp(result->axis, "sut") == 0;
}

/* How the system under test was connected, and whether it was seen on the wire; NULL before that was looked at. */
static json_t *transport_object(const struct engine_run *run)
{
    const struct profile *profile = run->profile;

    if (profile->on_wire && profile_has_roles(profile) && !*run->facts.role) {
        return NULL;
    }
    if (profile->on_wire || run->facts.wire) {
        return json_pack("{s:b,s:s}", "on_wire", true, "text", profile->transport);
    }
    return *run->facts.no_wire ? json_pack("{s:b,s:s}", "on_wire", false, "text", run->facts.no_wire) : NULL;
}

static json_t *sut_object(const struct engine_run *run)
{
    json_t *sut = json_object(), *transport = transport_object(run);

    set_text(sut, "name", run->sut_name);
    set_text(sut, "interpreter", run->facts.interpreter);
    if (*run->facts.role) {
        set_text(sut, "role", run->facts.role);
    }
    if (*run->facts.own_server) {
        set_text(sut, "own_server", run->facts.own_server);
    }
    if (transport) {
        json_object_set_new(sut, "transport", transport);
    }
    return sut;
}

static json_t *report_object(const struct engine_run *run, json_t *coverage, const struct outcome *outcome)
{
    json_t *report = json_object(), *summary = json_object();

    for (int verdict = VERDICT_PASS; verdict < VERDICT_COUNT; verdict++) {
        json_object_set_new(summary, verdict_name((enum verdict)verdict), json_integer(run->counts[verdict]));
    }
    set_text(report, "profile", run->profile->name);
    set_text(report, "verdict", outcome->verdict);
    json_object_set_new(report, "outcome", outcome_json(outcome));
    set_text(report, "problem", run->problem);
    json_object_set_new(report, "summary", summary);
    set_text(report, "tester", "assay " ASSAY_VERSION);
    json_object_set_new(report, "sut", sut_object(run));
    json_object_set_new(report, "seed", json_sprintf("%llu", (unsigned long long)run->seed));
    set_text(report, "started", run->started);
    set_text(report, "preflight", "cases/preflight.txt");
    json_object_set_new(report, "duration_ms", json_integer(clock_now_ms() - run->begin_ms));
    json_object_set_new(report, "coverage", json_incref(coverage));
    json_object_set(report, "cases", run->results);
    if (json_array_size(run->matrix) > 0) {
        json_object_set(report, "matrix", run->matrix);
    }
    return report;
}

/* Moves a finished file into its place, or removes what is left of a failed one. */
static bool settle(bool good, const char *part, const char *path, char *message, size_t message_octets)
{
    if (good && rename(part, path) == 0) {
        return true;
    }
    if (!*message) { /* the first failure is the one to tell */
        snprintf(message, message_octets, "%s cannot be written: %s", path, strerror(errno ? errno : EIO));
    }
    unlink(part);
    return false;
}

bool report_write(const struct engine_run *run, char *message, size_t message_octets)
{
    char *json_path = memory_format("%s/report.json", run->report_directory);
    char *json_part = memory_format("%s.part", json_path);
    char *junit_path = memory_format("%s/junit.xml", run->report_directory);
    char *junit_part = memory_format("%s.part", junit_path);
    json_t *coverage = coverage_of(run);
    struct outcome outcome;

    decide(run, coverage, &outcome);
    json_t *report = report_object(run, coverage, &outcome);

    errno = 0;
    bool good =
        settle(json_dump_file(report, json_part, JSON_INDENT(2)) == 0, json_part, json_path, message, message_octets);
    errno = 0;
    good = settle(junit_write(run, &outcome, junit_part), junit_part, junit_path, message, message_octets) && good;
    if (good && !report_html_save(run->report_directory)) {
        snprintf(message, message_octets, "%s/report.html cannot be written", run->report_directory);
        good = false;
    }
    json_decref(report);
    json_decref(coverage);
    free(json_path);
    free(json_part);
    free(junit_path);
    free(junit_part);
    return good;
}

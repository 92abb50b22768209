/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * report.json, and what a run comes to (report.h).
 */
#include "tester/report/report.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/profile/profile.h"
#include "tester/report/causes.h"
#include "tester/report/coverage.h"
#include "tester/report/digests.h"
#include "tester/report/html.h"
#include "tester/report/junit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Decides what the run has come to, of which `coverage` tells how much it has judged. */
static void decide(const struct report_subject *subject, const json_t *coverage, struct outcome *outcome)
{
    struct outcome_facts facts = {.sut_failures = subject->results->sut_failures,
                                  .waived = subject->results->waived,
                                  .behind = subject->results->behind,
                                  .not_needed = subject->results->not_needed,
                                  .incomplete = !subject->profile->complete,
                                  .problem = subject->problem};

    memcpy(facts.counts, subject->results->counts, sizeof facts.counts);
    coverage_count(coverage, &facts.requirements, &facts.judged);
    outcome_decide(&facts, outcome);
}

void report_outcome(const struct report_subject *subject, struct outcome *outcome)
{
    json_t *coverage = coverage_of(subject->selection, subject->results->cases);

    decide(subject, coverage, outcome);
    json_decref(coverage);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text ? json_string(text) : json_null());
}

/* How the system under test was connected, and whether it was seen on the wire; NULL before that was looked at. */
static json_t *transport_object(const struct report_subject *subject)
{
    const struct profile *profile = subject->profile;
    const struct sut_facts *facts = subject->facts;
    const char *why_not = *facts->no_network ? facts->no_network : facts->no_wire;

    if (profile->on_wire && profile_has_roles(profile) && !*facts->role) {
        return NULL;
    }
    if (profile->on_wire || facts->wire || facts->network) {
        return json_pack("{s:b,s:s}", "on_wire", true, "text", profile->transport);
    }
    return *why_not ? json_pack("{s:b,s:s}", "on_wire", false, "text", why_not) : NULL;
}

static json_t *sut_object(const struct report_subject *subject)
{
    json_t *sut = json_object(), *transport = transport_object(subject);

    set_text(sut, "name", subject->sut_name);
    set_text(sut, "interpreter", subject->facts->interpreter);
    if (*subject->facts->role) {
        set_text(sut, "role", subject->facts->role);
    }
    if (*subject->facts->guest) {
        set_text(sut, "guest", subject->facts->guest);
    }
    if (*subject->facts->own_server) {
        set_text(sut, "own_server", subject->facts->own_server);
    }
    if (transport) {
        json_object_set_new(sut, "transport", transport);
    }
    if (subject->build) {
        json_object_set_new(sut, "build", json_deep_copy(subject->build));
    }
    return sut;
}

static json_t *report_object(const struct report_subject *subject, json_t *coverage, const struct outcome *outcome)
{
    json_t *report = json_object(), *summary = json_object();

    for (int verdict = VERDICT_PASS; verdict < VERDICT_COUNT; verdict++) {
        json_object_set_new(summary, verdict_name((enum verdict)verdict),
                            json_integer(subject->results->counts[verdict]));
    }
    set_text(report, "profile", subject->profile->name);
    set_text(report, "verdict", outcome->verdict);
    json_object_set_new(report, "outcome", outcome_json(outcome));
    set_text(report, "problem", subject->problem);
    json_object_set_new(report, "summary", summary);
    set_text(report, "tester", "assay " ASSAY_VERSION);
    json_object_set_new(report, "digests", digests_json(subject->selection->cases));
    json_object_set_new(report, "sut", sut_object(subject));
    json_object_set_new(report, "seed", json_sprintf("%llu", (unsigned long long)subject->seed));
    set_text(report, "started", subject->started);
    set_text(report, "preflight", "cases/preflight.txt");
    json_object_set_new(report, "duration_ms", json_integer(clock_now_ms() - subject->begin_ms));
    json_object_set_new(report, "coverage", json_incref(coverage));
    json_object_set_new(report, "causes", causes_of(subject->results->cases));
    json_object_set(report, "cases", subject->results->cases);
    if (json_array_size(subject->results->waivers) > 0) {
        json_object_set(report, "waivers", subject->results->waivers);
    }
    if (json_array_size(subject->results->matrix) > 0) {
        json_object_set(report, "matrix", subject->results->matrix);
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

bool report_write(const struct report_subject *subject, char *message, size_t message_octets)
{
    char *json_path = memory_format("%s/report.json", subject->folder);
    char *json_part = memory_format("%s.part", json_path);
    char *junit_path = memory_format("%s/junit.xml", subject->folder);
    char *junit_part = memory_format("%s.part", junit_path);
    json_t *coverage = coverage_of(subject->selection, subject->results->cases);
    struct outcome outcome;

    message[0] = 0;
    decide(subject, coverage, &outcome);
    json_t *report = report_object(subject, coverage, &outcome);

    errno = 0;
    bool good =
        settle(json_dump_file(report, json_part, JSON_INDENT(2)) == 0, json_part, json_path, message, message_octets);
    errno = 0;
    good = settle(junit_write(subject->results, &outcome, subject->profile->name, subject->started, junit_part),
                  junit_part, junit_path, message, message_octets) &&
           good;
    if (good && !report_html_save(subject->folder)) {
        snprintf(message, message_octets, "%s/report.html cannot be written", subject->folder);
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

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The one place in which it is decided what a run comes to (outcome.h):
 *
 *     a case failed because of the system under test, and is not waived       does not conform
 *     else the run had a problem, a case failed by something else or was
 *          inconclusive, or no case came to a good end                        inconclusive
 *     else a failure is waived, a requirement of the selected cases was
 *          not judged, or the profile is not complete                         conforms in part
 *     else                                                                    conforms
 */
#include "tester/report/outcome.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *name, *words, *verdict;
} kinds[] = {
    [OUTCOME_CONFORMS] = {"conforms", "conforms", "conforms"},
    [OUTCOME_IN_PART] = {"conforms-in-part", "conforms in part", "conforms"},
    [OUTCOME_DOES_NOT_CONFORM] = {"does-not-conform", "does not conform", "does-not-conform"},
    [OUTCOME_INCONCLUSIVE] = {"inconclusive", "inconclusive", "inconclusive"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

__attribute__((format(printf, 2, 3))) static void add_reason(struct outcome *outcome, const char *format, ...)
{
    va_list arguments;

    if (outcome->reason_count == OUTCOME_REASONS_MAX) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(outcome->reasons[outcome->reason_count++], OUTCOME_REASON_ROOM, format, arguments);
    va_end(arguments);
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void set_kind(struct outcome *outcome, enum outcome_kind kind)
{
    outcome->kind = kind;
    outcome->name = kinds[kind].name;
    outcome->words = kinds[kind].words;
    outcome->verdict = kinds[kind].verdict;
}

static void add_problem(struct outcome *outcome, const struct outcome_facts *facts)
{
    if (facts->problem && *facts->problem) {
        add_reason(outcome, "%s", facts->problem);
    }
}

/* Adds what kept the run from a judgement. */
static void add_obstacles(struct outcome *outcome, const struct outcome_facts *facts)
{
    unsigned others = facts->counts[VERDICT_FAIL] - facts->sut_failures - facts->waived;
    unsigned inconclusive = facts->counts[VERDICT_INCONCLUSIVE] - facts->behind;

    add_problem(outcome, facts);
    if (others > 0) {
        add_reason(outcome, "%u case%s failed for a reason outside the system under test", others, plural(others));
    }
    if (inconclusive > 0) {
        add_reason(outcome, "%u case%s inconclusive", inconclusive, inconclusive == 1 ? " was" : "s were");
    }
    if (facts->counts[VERDICT_PASS] + facts->counts[VERDICT_WARN] == 0) {
        add_reason(outcome, "no case passed");
    }
}

/* Adds what restricts a conformance; nothing, where it is whole. */
static void add_restrictions(struct outcome *outcome, const struct outcome_facts *facts)
{
    unsigned missing = facts->requirements - facts->judged;

    if (facts->waived > 0) {
        add_reason(outcome, "%u case%s failed and %s waived", facts->waived, plural(facts->waived),
                   facts->waived == 1 ? "is" : "are");
    }
    if (missing > 0) {
        add_reason(outcome, "%u of %u requirements of the selected cases were not judged", missing,
                   facts->requirements);
    }
    if (facts->incomplete) {
        add_reason(outcome, "the profile is not complete: requirements of the document still lack a case");
    }
}

/* What a waiver's owner wants to know, whatever the run came to otherwise. */
static void add_not_needed(struct outcome *outcome, const struct outcome_facts *facts)
{
    if (facts->not_needed > 0) {
        add_reason(outcome, "%u case%s passed whose failure is waived: the waiver is not needed for %s",
                   facts->not_needed, plural(facts->not_needed), facts->not_needed == 1 ? "it" : "them");
    }
}

void outcome_decide(const struct outcome_facts *facts, struct outcome *outcome)
{
    unsigned failures = facts->sut_failures;

    *outcome = (struct outcome){0};
    if (failures > 0) {
        set_kind(outcome, OUTCOME_DOES_NOT_CONFORM);
        add_reason(outcome, "%u case%s failed because of the system under test", failures, plural(failures));
        add_problem(outcome, facts);
        return;
    }
    add_obstacles(outcome, facts);
    if (outcome->reason_count > 0) {
        set_kind(outcome, OUTCOME_INCONCLUSIVE);
        return;
    }
    add_restrictions(outcome, facts);
    if (outcome->reason_count > 0) {
        set_kind(outcome, OUTCOME_IN_PART);
    } else {
        set_kind(outcome, OUTCOME_CONFORMS);
        add_reason(outcome, "all requirements of the selected cases were judged, and no case failed");
    }
    add_not_needed(outcome, facts);
}

json_t *outcome_json(const struct outcome *outcome)
{
    json_t *reasons = json_array();

    for (size_t i = 0; i < outcome->reason_count; i++) {
        json_array_append_new(reasons, json_string(outcome->reasons[i]));
    }
    return json_pack("{s:s,s:s,s:o}", "name", outcome->name, "words", outcome->words, "reasons", reasons);
}

/* ---- reading it back -------------------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static unsigned number_of(const json_t *object, const char *key)
{
    return (unsigned)json_integer_value(json_object_get(object, key));
}

/* Decides again, by the other members of the report. */
static void decide_by_report(const json_t *report, struct outcome *outcome)
{
    const json_t *summary = json_object_get(report, "summary"), *coverage = json_object_get(report, "coverage");
    struct outcome_facts facts = {.problem = text_of(report, "problem"),
                                  .requirements = number_of(coverage, "requirements"),
                                  .judged = number_of(coverage, "judged")};
    const json_t *result;
    size_t i;

    for (int verdict = VERDICT_PASS; verdict < VERDICT_COUNT; verdict++) {
        facts.counts[verdict] = number_of(summary, verdict_name((enum verdict)verdict));
    }
    json_array_foreach(json_object_get(report, "cases"), i, result)
    {
        facts.sut_failures +=
            strcmp(text_of(result, "verdict"), "fail") == 0 && strcmp(text_of(result, "axis"), "sut") == 0;
    }
    outcome_decide(&facts, outcome);
}

void outcome_read(const json_t *report, struct outcome *outcome)
{
    const json_t *written = json_object_get(report, "outcome"), *reasons = json_object_get(written, "reasons");
    size_t kind = 0;

    while (kind < KINDS && strcmp(kinds[kind].name, text_of(written, "name")) != 0) {
        kind++;
    }
    if (kind == KINDS) {
        decide_by_report(report, outcome);
        return;
    }
    *outcome = (struct outcome){0};
    set_kind(outcome, (enum outcome_kind)kind);
    for (size_t i = 0; i < json_array_size(reasons); i++) {
        const char *reason = json_string_value(json_array_get(reasons, i));

        add_reason(outcome, "%s", reason ? reason : "");
    }
}

const char *outcome_words(const char *name)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return kinds[i].words;
        }
    }
    return name;
}

bool outcome_has_reason(const struct outcome *outcome, const char *problem)
{
    bool found = !*problem;

    for (size_t i = 0; i < outcome->reason_count; i++) {
        found = found || strcmp(outcome->reasons[i], problem) == 0;
    }
    return found;
}

void outcome_show(FILE *out, const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->reason_count; i++) {
        fprintf(out, "%s\n", outcome->reasons[i]);
    }
    fprintf(out, "%s\n", outcome->words);
}

void outcome_tell(const char *program, const struct outcome *outcome, const char *place)
{
    if (!outcome_is_good(outcome)) {
        fflush(stdout); /* what was printed stands above it */
        fprintf(stderr, "%s: %s: %s; read on in %s\n", program, outcome->words,
                outcome->reason_count ? outcome->reasons[0] : "no reason is known", place);
    }
}

bool outcome_is_good(const struct outcome *outcome)
{
    return outcome->kind == OUTCOME_CONFORMS || outcome->kind == OUTCOME_IN_PART;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run comes to: every way to each outcome, with its reasons, and how a report is read back.
 */
#include "tester/report/outcome.h"
#include "tests/unit/tap.h"

#include <string.h>

static const struct row {
    const char *title;
    struct outcome_facts facts;
    const char *name, *words, *verdict;
    const char *reasons[OUTCOME_REASONS_MAX + 1];
} rows[] = {
    {"everything judged, all passed",
     {.counts = {[VERDICT_PASS] = 3}, .requirements = 5, .judged = 5},
     "conforms",
     "conforms",
     "conforms",
     {"all requirements of the selected cases were judged, and no case failed"}},
    {"a warning is no failure, a skip is none either",
     {.counts = {[VERDICT_WARN] = 1, [VERDICT_SKIP] = 2}, .requirements = 1, .judged = 1},
     "conforms",
     "conforms",
     "conforms",
     {"all requirements of the selected cases were judged, and no case failed"}},
    {"some requirements not judged",
     {.counts = {[VERDICT_PASS] = 1, [VERDICT_SKIP] = 1}, .requirements = 5, .judged = 2},
     "conforms-in-part",
     "conforms in part",
     "conforms",
     {"3 of 5 requirements of the selected cases were not judged"}},
    {"one failure of the system under test",
     {.counts = {[VERDICT_PASS] = 9, [VERDICT_FAIL] = 1}, .sut_failures = 1, .requirements = 5, .judged = 5},
     "does-not-conform",
     "does not conform",
     "does-not-conform",
     {"1 case failed because of the system under test"}},
    {"a failure outweighs whatever else went wrong, which is told all the same",
     {.counts = {[VERDICT_FAIL] = 3, [VERDICT_INCONCLUSIVE] = 1},
      .sut_failures = 2,
      .requirements = 5,
      .judged = 1,
      .problem = "the run was cancelled"},
     "does-not-conform",
     "does not conform",
     "does-not-conform",
     {"2 cases failed because of the system under test", "the run was cancelled"}},
    {"a profile that is still growing",
     {.counts = {[VERDICT_PASS] = 3}, .requirements = 5, .judged = 5, .incomplete = true},
     "conforms-in-part",
     "conforms in part",
     "conforms",
     {"the profile is not complete: requirements of the document still lack a case"}},
    {"a problem of the run",
     {.counts = {[VERDICT_PASS] = 3}, .requirements = 5, .judged = 5, .problem = "the launch agent is gone"},
     "inconclusive",
     "inconclusive",
     "inconclusive",
     {"the launch agent is gone"}},
    {"a failure by something else than the system under test",
     {.counts = {[VERDICT_PASS] = 3, [VERDICT_FAIL] = 1}, .requirements = 5, .judged = 5},
     "inconclusive",
     "inconclusive",
     "inconclusive",
     {"1 case failed for a reason outside the system under test"}},
    {"an inconclusive case",
     {.counts = {[VERDICT_PASS] = 3, [VERDICT_INCONCLUSIVE] = 1}, .requirements = 5, .judged = 5},
     "inconclusive",
     "inconclusive",
     "inconclusive",
     {"1 case was inconclusive"}},
    {"nothing but skips",
     {.counts = {[VERDICT_SKIP] = 4}, .requirements = 5, .judged = 0},
     "inconclusive",
     "inconclusive",
     "inconclusive",
     {"no case passed"}},
    {"nothing at all", {.problem = NULL}, "inconclusive", "inconclusive", "inconclusive", {"no case passed"}},
    {"everything at once, the most important first",
     {.counts = {[VERDICT_FAIL] = 2, [VERDICT_INCONCLUSIVE] = 2}, .requirements = 5, .problem = "no room"},
     "inconclusive",
     "inconclusive",
     "inconclusive",
     {"no room", "2 cases failed for a reason outside the system under test", "2 cases were inconclusive",
      "no case passed"}},
};

static void compare_reasons(const struct outcome *outcome, const char *const *wanted, const char *title)
{
    size_t count = 0;

    for (; wanted[count]; count++) {
        CHECK_STR(count < outcome->reason_count ? outcome->reasons[count] : "(none)", wanted[count], title);
    }
    CHECK_EQ(outcome->reason_count, count, title);
}

static void decisions(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct outcome outcome;

        outcome_decide(&row->facts, &outcome);
        CHECK_STR(outcome.name, row->name, row->title);
        CHECK_STR(outcome.words, row->words, row->title);
        CHECK_STR(outcome.verdict, row->verdict, row->title);
        CHECK_STR(outcome_words(row->name), row->words, row->title);
        CHECK(outcome_is_good(&outcome) == (strcmp(row->verdict, "conforms") == 0), row->title);
        compare_reasons(&outcome, row->reasons, row->title);
    }
}

/* What a report carries is shown as it is, and not decided again. */
static void read_back(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outcome outcome;

        outcome_decide(&rows[i].facts, &outcome);
        json_t *report = json_pack("{s:o,s:s}", "outcome", outcome_json(&outcome), "verdict", "nonsense");
        outcome_read(report, &outcome);
        CHECK_STR(outcome.name, rows[i].name, rows[i].title);
        compare_reasons(&outcome, rows[i].reasons, rows[i].title);
        json_decref(report);
    }
}

/* Reports of an earlier version have no such member: the same function decides by the others. */
static void read_older(void)
{
    static const struct {
        const char *title, *report, *name;
    } older[] = {
        {"no report", "null", "inconclusive"},
        {"all judged", "{\"summary\":{\"pass\":2},\"coverage\":{\"requirements\":4,\"judged\":4},\"cases\":[]}",
         "conforms"},
        {"some not", "{\"summary\":{\"pass\":2},\"coverage\":{\"requirements\":4,\"judged\":3}}", "conforms-in-part"},
        {"a problem", "{\"summary\":{\"pass\":2},\"problem\":\"p\"}", "inconclusive"},
        {"a failure of its own", "{\"summary\":{\"fail\":1},\"cases\":[{\"verdict\":\"fail\",\"axis\":\"sut\"}]}",
         "does-not-conform"},
        {"a failure of something else",
         "{\"summary\":{\"pass\":1,\"fail\":1},\"cases\":[{\"verdict\":\"fail\",\"axis\":\"network\"}]}",
         "inconclusive"},
        {"an outcome that nobody knows", "{\"outcome\":{\"name\":\"splendid\"},\"summary\":{\"pass\":2}}", "conforms"},
    };

    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++) {
        json_t *report = json_loads(older[i].report, JSON_DECODE_ANY, NULL);
        struct outcome outcome;

        outcome_read(report, &outcome);
        CHECK_STR(outcome.name, older[i].name, older[i].title);
        json_decref(report);
    }
    CHECK_STR(outcome_words("something-else"), "something-else", "a name that is not known stays");
}

int main(void)
{
    decisions();
    read_back();
    read_older();
    return tap_done();
}

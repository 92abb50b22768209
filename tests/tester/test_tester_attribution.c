/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Whose requirement a fault is counted against: which cases it blocks, and which it must not hide.
 */
#include "tester/judging/attribution.h"
#include "tests/unit/tap.h"

static const char *const first_requirements[] = {"P30-001", NULL}, *const second_requirements[] = {"P30-002", NULL};
static const struct case_info first = {.id = "first", .requirements = first_requirements};
static const struct case_info second = {.id = "second", .requirements = second_requirements};

/* A case that ends with this verdict and symptom; the verdict that it has in the end. */
static enum verdict ends(struct faults *faults, const struct case_info *about, enum verdict verdict,
                         struct symptom symptom)
{
    struct judge judge;

    judge_open(&judge, about);
    judge.symptom = symptom;
    judge_end(&judge, verdict, "sut", verdict == VERDICT_FAIL ? about->requirements[0] : "", "why", "1", "2");
    attribution_settle(&judge, faults);
    enum verdict found = judge.verdict;
    CHECK((judge.blocked_by != NULL) == (strstr(judge.reason, "blocked by") != NULL), "the reason says so: %s",
          judge.reason);
    judge_release(&judge);
    return found;
}

static struct symptom symptom(enum symptom_kind kind, const char *subject, const char *detail, bool basic)
{
    struct symptom made;

    symptom_set(&made, kind, subject, detail, basic);
    return made;
}

static bool is_blocked(struct faults *faults, const struct case_info *about, struct symptom shown)
{
    return ends(faults, about, VERDICT_FAIL, shown) == VERDICT_INCONCLUSIVE;
}

static void failures(void)
{
    struct faults *faults = faults_open();
    struct symptom full = symptom(SYMPTOM_RETURNS, "PtlMEAttach", "PTL_NOSPACE", true);

    CHECK(!is_blocked(faults, &first, full), "the first to show a fault fails");
    CHECK(is_blocked(faults, &second, full), "another that rests on it is blocked");
    CHECK(!is_blocked(faults, &first, full), "a case of the broken requirement fails by it");
    full.basic = false;
    CHECK(!is_blocked(faults, &second, full), "nor is one that judges this very code");
    CHECK(!is_blocked(faults, &second, symptom(SYMPTOM_RETURNS, "PtlMEAttach", "PTL_FAIL", true)),
          "another code is another fault");
    full.basic = true;
    faults_worked(faults, "PtlMEAttach");
    CHECK(!is_blocked(faults, &second, full), "what has worked in the run fails for a reason of its own");
    CHECK(!is_blocked(faults, &first, symptom(SYMPTOM_NONE, "", "", false)),
          "without a symptom there is nothing to say");
    faults_close(faults);
}

static void set_up(void)
{
    struct faults *faults = faults_open();
    struct symptom full = symptom(SYMPTOM_RETURNS, "PtlEQAlloc", "PTL_NOSPACE", true);
    struct judge judge;

    CHECK(ends(faults, &second, VERDICT_INCONCLUSIVE, full) == VERDICT_INCONCLUSIVE, "nothing is known yet");
    CHECK(faults_find(faults, &full) == NULL, "a case that could not judge finds no fault");
    ends(faults, &first, VERDICT_FAIL, full);
    judge_open(&judge, &second);
    judge.symptom = full;
    judge_end(&judge, VERDICT_INCONCLUSIVE, "sut", "", "set-up", "PTL_OK", "PTL_NOSPACE");
    attribution_settle(&judge, faults);
    CHECK(judge.blocked_by != NULL, "now it is");
    CHECK_STR(judge.blocked_by->case_id, "first", "by the case that has judged it");
    CHECK_STR(judge.blocked_by->requirement, "P30-001", "and its requirement");
    CHECK_STR(judge.reason, "blocked by P30-001, which case first has found broken: PtlEQAlloc returns PTL_NOSPACE",
              "in words");
    judge_release(&judge);
    faults_close(faults);
}

/* Whether a case is stopped before it calls PtlEQGet. */
static bool is_stopped(struct faults *faults, const struct case_info *about)
{
    struct judge judge;

    judge_open(&judge, about);
    attribution_stop(&judge, faults, "PtlEQGet");
    bool stopped = judge.ended && judge.blocked_by;
    judge_release(&judge);
    return stopped;
}

static void hangs(void)
{
    struct faults *faults = faults_open();
    struct symptom hang = symptom(SYMPTOM_HANGS, "PtlEQGet", "", true);

    CHECK(!is_stopped(faults, &second), "a call that nobody knows to hang is made");
    CHECK(!is_blocked(faults, &first, hang), "the first hang is a failure");
    CHECK(!is_stopped(faults, &second), "one may be the doing of the case: the next tries it");
    CHECK(is_blocked(faults, &second, hang), "and is blocked");
    CHECK(is_stopped(faults, &second), "then nobody waits for it any more");
    CHECK(!is_stopped(faults, &first), "but who judges that requirement");
    faults_returned(faults, "PtlEQGet");
    CHECK(!is_stopped(faults, &second), "unless it has returned meanwhile");
    faults_close(faults);
}

static void losses(void)
{
    struct faults *faults = faults_open();
    struct symptom missing = symptom(SYMPTOM_MISSING, "no PTL_EVENT_PUT comes", "", true);

    faults_worked(faults, "no PTL_EVENT_PUT comes");
    CHECK(!is_blocked(faults, &second, missing), "what comes elsewhere is missing for a reason of the case's own");
    CHECK(!is_blocked(faults, &first, symptom(SYMPTOM_LOSES, "messages", "", false)), "that some are lost is a fault");
    CHECK(is_blocked(faults, &second, missing), "then what is missing may be lost, although it comes elsewhere");
    CHECK(!is_blocked(faults, &first, missing), "but for who judges that requirement");
    CHECK(!is_blocked(faults, &second, symptom(SYMPTOM_RETURNS, "PtlPut", "PTL_FAIL", true)), "a code is not lost");
    missing.basic = false;
    CHECK(!is_blocked(faults, &second, missing), "nor what a case has come to judge");
    faults_close(faults);
}

static void texts(void)
{
    static const struct {
        enum symptom_kind kind;
        const char *subject, *detail, *text;
    } rows[] = {
        {SYMPTOM_NONE, "x", "y", ""},
        {SYMPTOM_RETURNS, "PtlPut", "", "PtlPut returns no code"},
        {SYMPTOM_MISSING, "no PTL_EVENT_ACK comes", "", "no PTL_EVENT_ACK comes"},
        {SYMPTOM_HANGS, "PtlEQWait", "", "PtlEQWait does not return"},
        {SYMPTOM_CRASHES, "PtlGet", "SIGSEGV", "SIGSEGV in PtlGet"},
        {SYMPTOM_LOSES, "messages", "", "messages are lost at times"},
    };
    char text[SYMPTOM_TEXT];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct symptom shown = symptom(rows[i].kind, rows[i].subject, rows[i].detail, true);
        symptom_text(&shown, text);
        CHECK_STR(text, rows[i].text, "a symptom as it is read");
    }
}

int main(void)
{
    failures();
    set_up();
    hangs();
    losses();
    texts();
    return tap_done();
}

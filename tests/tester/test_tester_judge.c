/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a verdict comes about: the first end stands, a warning is kept, everything that is listed must be judged.
 */
#include "tester/judging/judge.h"
#include "tests/unit/tap.h"

static const char *const requirements[] = {"P30-001", "P30-002", NULL};
static const struct case_info about = {.id = "x", .requirements = requirements};

static void all_judged(void)
{
    struct judge judge;

    judge_open(&judge, &about);
    judge_pass(&judge, "P30-001");
    judge_pass(&judge, "P30-002");
    judge_complete(&judge);
    CHECK(judge.verdict == VERDICT_PASS && judge.axis[0] == 0 && judge.requirement[0] == 0, "pass");
    judge_end(&judge, VERDICT_FAIL, "sut", "P30-001", "late", "", "");
    CHECK(judge.verdict == VERDICT_PASS, "what comes later changes nothing");
    judge_release(&judge);
}

static void one_forgotten(void)
{
    struct judge judge;

    judge_open(&judge, &about);
    judge_pass(&judge, "P30-001");
    judge_complete(&judge);
    CHECK(judge.verdict == VERDICT_INCONCLUSIVE, "not judged by P30-002");
    CHECK_STR(judge.axis, "tester", "that is the case's fault");
    judge_release(&judge);
}

static void first_end_stands(void)
{
    struct judge judge;

    judge_open(&judge, &about);
    judge_end(&judge, VERDICT_FAIL, "sut", "P30-002", "first", "1", "2");
    judge_end(&judge, VERDICT_SKIP, "sut", "", "second", "", "");
    judge_complete(&judge);
    CHECK(judge.verdict == VERDICT_FAIL, "fail");
    CHECK_STR(judge.requirement, "P30-002", "by its requirement");
    CHECK_STR(judge.reason, "first", "with its reason");
    CHECK_STR(judge.observed, "2", "and what was seen");
    judge_release(&judge);
}

static void warning(void)
{
    struct judge judge;

    judge_open(&judge, &about);
    judge_warn(&judge, "P30-001", "the later reading", "A", "B");
    judge_warn(&judge, "P30-001", "another", "C", "D");
    judge_pass(&judge, "P30-002");
    judge_complete(&judge);
    CHECK(judge.verdict == VERDICT_WARN, "a warning is a verdict");
    CHECK_STR(judge.reason, "the later reading", "the first is told");
    judge_release(&judge);

    judge_open(&judge, &about);
    judge_warn(&judge, "P30-001", "the later reading", "A", "B");
    judge_end(&judge, VERDICT_FAIL, "sut", "P30-002", "worse", "", "");
    CHECK(judge.verdict == VERDICT_FAIL, "a failure outweighs it");
    CHECK_STR(judge.requirement, "P30-002", "and brings its own requirement");
    judge_release(&judge);
}

static void unlisted(void)
{
    struct judge judge;

    judge_open(&judge, &about);
    CHECK(judge_lists(&judge, "P30-002") && !judge.ended, "a listed requirement");
    CHECK(!judge_lists(&judge, "P30-003") && judge.verdict == VERDICT_INCONCLUSIVE, "one that is not ends the case");
    judge_release(&judge);
}

static void crash_requirement(void)
{
    struct judge judge;

    judge_open(&judge, &about);
    CHECK_STR(judge_default(&judge), "P30-001", "the first of the list");
    snprintf(judge.judging, sizeof judge.judging, "P30-002");
    judge_end_format(&judge, VERDICT_FAIL, "sut", "crash in %s", "PtlPut");
    CHECK_STR(judge.requirement, "P30-002", "or what was being judged");
    CHECK_STR(judge.reason, "crash in PtlPut", "with the notice");
    judge_release(&judge);
}

int main(void)
{
    TAP_RUN(all_judged);
    TAP_RUN(one_forgotten);
    TAP_RUN(first_end_stands);
    TAP_RUN(warning);
    TAP_RUN(unlisted);
    TAP_RUN(crash_requirement);
    return tap_done();
}

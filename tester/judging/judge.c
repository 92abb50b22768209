/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a case's verdict comes about (judge.h).
 */
#include "tester/judging/judge.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"
#include "tester/base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t requirement_count(const struct case_info *about)
{
    size_t count = 0;

    while (about->requirements[count]) {
        count++;
    }
    return count;
}

void judge_open(struct judge *judge, const struct case_info *about)
{
    *judge = (struct judge){.about = about, .verdict = VERDICT_PASS};
    judge->judged = memory_zero(requirement_count(about) * sizeof(bool));
    judge->reason = memory_text("");
    judge->expected = memory_text("");
    judge->observed = memory_text("");
    judge->readings = json_object();
}

void judge_release(struct judge *judge)
{
    free(judge->judged);
    free(judge->reason);
    free(judge->expected);
    free(judge->observed);
    json_decref(judge->readings);
}

static void replace(char **text, const char *value)
{
    free(*text);
    *text = utf8_repair(memory_text(value));
}

static void judge_write(struct judge *judge, const char *requirement, const char *reason, const char *expected,
                        const char *observed)
{
    judge->at_us = clock_now_us();
    snprintf(judge->requirement, sizeof judge->requirement, "%s", requirement);
    replace(&judge->reason, reason);
    replace(&judge->expected, expected);
    replace(&judge->observed, observed);
}

void judge_end(struct judge *judge, enum verdict verdict, const char *axis, const char *requirement, const char *reason,
               const char *expected, const char *observed)
{
    if (judge->ended) {
        return;
    }
    judge->ended = true;
    judge->verdict = verdict;
    snprintf(judge->axis, sizeof judge->axis, "%s", axis);
    judge_write(judge, requirement, reason, expected, observed);
}

void judge_end_format(struct judge *judge, enum verdict verdict, const char *axis, const char *format, ...)
{
    va_list arguments;
    char *reason = NULL;

    va_start(arguments, format);
    int len = vasprintf(&reason, format, arguments);
    va_end(arguments);
    judge_end(judge, verdict, axis, verdict == VERDICT_FAIL ? judge_default(judge) : "", len < 0 ? "" : reason, "", "");
    if (len >= 0) {
        free(reason);
    }
}

static bool *judge_mark(struct judge *judge, const char *requirement)
{
    for (size_t i = 0; judge->about->requirements[i]; i++) {
        if (strcmp(judge->about->requirements[i], requirement) == 0) {
            return &judge->judged[i];
        }
    }
    return NULL;
}

const char *judge_own(const struct judge *judge, const char *requirement)
{
    const char *const *listed = judge->about->requirements;

    if (!*listed || strncmp(*listed, requirement, strcspn(*listed, "-") + 1) == 0) {
        return requirement;
    }
    for (; *listed; listed++) {
        if (strcmp(*listed + strcspn(*listed, "-"), requirement + strcspn(requirement, "-")) == 0) {
            return *listed;
        }
    }
    return requirement;
}

bool judge_lists(struct judge *judge, const char *requirement)
{
    if (judge_mark(judge, requirement)) {
        return true;
    }
    judge_end_format(judge, VERDICT_INCONCLUSIVE, "tester",
                     "the case judges \"%.20s\", which its list of requirements lacks", requirement);
    return false;
}

void judge_pass(struct judge *judge, const char *requirement)
{
    bool *mark = judge_mark(judge, requirement);

    if (mark) {
        *mark = true;
    }
}

void judge_warn(struct judge *judge, const char *requirement, const char *reason, const char *expected,
                const char *observed)
{
    judge_pass(judge, requirement);
    if (!judge->ended && !judge->warned) {
        judge->warned = true;
        judge->verdict = VERDICT_WARN;
        snprintf(judge->axis, sizeof judge->axis, "sut");
        judge_write(judge, requirement, reason, expected, observed);
    }
}

void judge_overrule(struct judge *judge, const char *requirement, const char *reason, const char *observed)
{
    bool open = judge->verdict == VERDICT_INCONCLUSIVE &&
                (strcmp(judge->axis, "tester") == 0 || strcmp(judge->axis, "sut") == 0);

    if ((judge->ended && !open) || (judge->warned && strcmp(judge->requirement, requirement) == 0)) {
        return;
    }
    judge->ended = false;
    judge->symptom = (struct symptom){0};
    judge->blocked_by = NULL;
    judge_end(judge, VERDICT_FAIL, "sut", requirement, reason, "no message that breaks a rule", observed);
}

const char *judge_default(const struct judge *judge)
{
    const char *first = judge->about->requirements[0]; /* a preflight has none */

    return judge->judging[0] ? judge->judging : first ? first : "";
}

void judge_complete(struct judge *judge)
{
    for (size_t i = 0; judge->about->requirements[i] && !judge->ended; i++) {
        if (!judge->judged[i]) {
            judge_end_format(judge, VERDICT_INCONCLUSIVE, "tester", "the case ended without a judgement by %s",
                             judge->about->requirements[i]);
        }
    }
    judge->ended = true;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Blocked cases (attribution.h):
 *
 *     set-up fails as a case before has failed                                blocked
 *     the case fails by something basic, as a case before has, and the run
 *          has never seen that work                                           blocked
 *     something basic does not come, and the run has found that what
 *          should come is lost at times                                       blocked
 *     something basic does not come, and what a foundation has missed has
 *          never come in the run                                              blocked
 *     else a failure with a symptom                                           a new fault, if it is none yet
 *
 * Without the second line's last condition a failure under special circumstances would hide others of the same look.
 */
#include "tester/judging/attribution.h"

#include "tester/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool lists(const struct judge *judge, const char *requirement)
{
    const char *const *at = judge->about->requirements;

    while (*at && strcmp(*at, requirement) != 0) {
        at++;
    }
    return *at != NULL;
}

/* The same text for all that one fault blocks, so that a report can count them. */
static char *blocked_reason(const struct fault *fault)
{
    char text[SYMPTOM_TEXT];

    symptom_text(&fault->symptom, text);
    return memory_format("blocked by %s, which case %s has found broken: %s", fault->requirement, fault->case_id, text);
}

static void block(struct judge *judge, const struct fault *fault)
{
    char *reason = blocked_reason(fault);

    judge->verdict = VERDICT_INCONCLUSIVE;
    judge->requirement[0] = 0;
    judge->blocked_by = fault;
    judge->symptom = fault->symptom;
    free(judge->reason);
    judge->reason = reason;
}

/* The fault that keeps the case from what it judges, or NULL. */
static const struct fault *obstacle(const struct judge *judge, struct faults *faults, const struct fault *same)
{
    const struct symptom *symptom = &judge->symptom;
    const struct fault *losing = symptom->kind == SYMPTOM_MISSING && symptom->basic ? faults_losing(faults) : NULL;
    bool fails = judge->verdict == VERDICT_FAIL;

    if (losing && !(fails && lists(judge, losing->requirement))) {
        return losing;
    }
    if (!same && symptom->kind == SYMPTOM_MISSING && symptom->basic) {
        const struct fault *base = faults_base(faults);
        return base && !(fails && lists(judge, base->requirement)) ? base : NULL;
    }
    if (fails && same && (!symptom->basic || lists(judge, same->requirement) || faults_refuted(faults, symptom))) {
        return NULL;
    }
    return same;
}

void attribution_settle(struct judge *judge, struct faults *faults)
{
    const struct symptom *symptom = &judge->symptom;

    if (!judge->ended || judge->blocked_by || symptom->kind == SYMPTOM_NONE || strcmp(judge->axis, "sut") != 0) {
        return;
    }
    const struct fault *fault = faults_find(faults, symptom), *blocking = obstacle(judge, faults, fault);
    if (fault) {
        faults_again(faults, fault);
    }
    if (blocking && (judge->verdict == VERDICT_INCONCLUSIVE || judge->verdict == VERDICT_FAIL)) {
        block(judge, blocking);
    } else if (judge->verdict == VERDICT_FAIL && !fault && *judge->requirement) {
        faults_add(faults, symptom, judge->requirement, judge->about->id, judge->about->foundation);
    }
}

void attribution_stop(struct judge *judge, struct faults *faults, const char *function)
{
    const struct fault *fault = faults_hanging(faults, function);

    if (!fault || judge->ended || lists(judge, fault->requirement)) {
        return;
    }
    char *reason = blocked_reason(fault);
    judge->symptom = fault->symptom;
    judge_end(judge, VERDICT_INCONCLUSIVE, "sut", "", reason, "", "");
    judge->blocked_by = fault;
    free(reason);
}

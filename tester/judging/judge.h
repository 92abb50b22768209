/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The verdict of one case while it comes about. The first verdict that ends a case stands; nothing can take it back.
 */
#ifndef TESTER_JUDGING_JUDGE_H
#define TESTER_JUDGING_JUDGE_H

#include "tester/judging/faults.h"
#include "tester/profile/case_info.h"
#include "tester/profile/verdict.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What the reason of a failure says that a passive checker has found. */
#define JUDGE_UNASKED "breaks a rule that the case did not ask about"

struct judge {
    const struct case_info *about;
    bool ended;    /* a verdict that ends the case was given */
    bool warned;   /* a warning was given */
    bool *judged;  /* one for each requirement of the case */
    int64_t at_us; /* when the verdict that stands was given (clock.h); 0: not yet */
    enum verdict verdict;
    char axis[16], requirement[16], judging[16];
    char crash_reading[80];             /* a reading by which a crash is no failure now; "" as a rule */
    char *reason, *expected, *observed; /* never NULL */
    struct symptom symptom;             /* what the end has in common with others'; its kind may be SYMPTOM_NONE */
    const struct fault *blocked_by;     /* what has kept the case from judging (attribution.h); or NULL */
    json_t *readings;                   /* those that the case has found, by their switches */
};

/* judge_open begins; judge_release frees what it holds. */
void judge_open(struct judge *judge, const struct case_info *about);
void judge_release(struct judge *judge);

/* judge_own gives the requirement as the case lists it: one of an earlier revision has the number, and the case that
 * was written for that one judges by it. Any other comes back as it is. */
const char *judge_own(const struct judge *judge, const char *requirement);

/* judge_lists tells whether the case lists the requirement. If not, the case is at fault, and is ended so. */
bool judge_lists(struct judge *judge, const char *requirement);

/* judge_pass notes that a judgement by this requirement came out well. */
void judge_pass(struct judge *judge, const char *requirement);

/* judge_warn notes a deviation that a later revision allows; the first one is reported. */
void judge_warn(struct judge *judge, const char *requirement, const char *reason, const char *expected,
                const char *observed);

/* judge_end gives the verdict, unless there is one. requirement, expected and observed may be "". judge_end_format is
 * the same with the reason alone. */
void judge_end(struct judge *judge, enum verdict verdict, const char *axis, const char *requirement, const char *reason,
               const char *expected, const char *observed);
void judge_end_format(struct judge *judge, enum verdict verdict, const char *axis, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* judge_overrule gives the verdict `fail` on what another observer has seen, also where the case could not come to a
 * verdict about the system under test: so far nothing, a pass, or inconclusive by the tester's or the system's doing.
 * Not when the case has warned by the same requirement: then it knows. */
void judge_overrule(struct judge *judge, const char *requirement, const char *reason, const char *observed);

/* judge_default is the requirement by which a crash or a hang is judged now. */
const char *judge_default(const struct judge *judge);

/* judge_complete settles the verdict of a case whose function has returned: a requirement that was never judged is a
 * defect of the case. */
void judge_complete(struct judge *judge);

#endif

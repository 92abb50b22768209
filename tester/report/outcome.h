/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What a run comes to. It is decided here and nowhere else: report.json carries it in its member `outcome`, and
 * terminal, report.html, junit.xml, the certificate, the launch agent and the service show what it says.
 *
 *     {"name":"conforms-in-part","words":"conforms in part","reasons":["104 of 290 requirements ..."]}
 */
#ifndef TESTER_REPORT_OUTCOME_H
#define TESTER_REPORT_OUTCOME_H

#include "tester/profile/verdict.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum outcome_kind {
    OUTCOME_CONFORMS, /* nothing failed, and every requirement of the selected cases was judged */
    OUTCOME_IN_PART, /* nothing failed that is not waived, but some requirements were not judged, or have no case yet */
    OUTCOME_DOES_NOT_CONFORM, /* at least one case failed because of the system under test */
    OUTCOME_INCONCLUSIVE,     /* the run could not judge what it was asked to */
};

enum { OUTCOME_REASONS_MAX = 5, OUTCOME_REASON_ROOM = 1024 };

/* struct outcome_facts is what the decision rests on. */
struct outcome_facts {
    unsigned counts[VERDICT_COUNT]; /* cases by enum verdict */
    unsigned sut_failures;          /* those among the failures whose axis is "sut", and not waived */
    unsigned requirements, judged;  /* of the selected cases; those of them that a case has judged */
    unsigned waived, behind;        /* failures that are waived, and inconclusive cases that these have blocked */
    unsigned not_needed;            /* cases that have passed although their failure would have been waived */
    bool incomplete;                /* the profile does not have a case for every testable requirement yet */
    const char *problem;            /* why the run could not judge everything; "" or NULL: there was none */
};

/* struct outcome is the decision. The strings are static but the reasons, which are sentences without a full stop, the
 * most important first; there is always one. */
struct outcome {
    enum outcome_kind kind;
    const char *name;    /* "conforms", "conforms-in-part", "does-not-conform", "inconclusive" */
    const char *words;   /* the same for people: "conforms in part" */
    const char *verdict; /* as `verdict` of report.json has it: "conforms" also where it is in part */
    size_t reason_count;
    char reasons[OUTCOME_REASONS_MAX][OUTCOME_REASON_ROOM];
};

/* outcome_decide decides. */
void outcome_decide(const struct outcome_facts *facts, struct outcome *outcome);

/* outcome_json gives the member `outcome` of a report; a new reference. */
json_t *outcome_json(const struct outcome *outcome);

/* outcome_read gives the outcome of a report: its member `outcome`, or, in a report of a version that wrote none, what
 * outcome_decide makes of its other members. NULL or an object that is no report is inconclusive. */
void outcome_read(const json_t *report, struct outcome *outcome);

/* outcome_words gives the words for the name of an outcome, or for a verdict, as a certificate and the service's
 * answers have it; a name that is not known is given back. */
const char *outcome_words(const char *name);

/* outcome_has_reason tells whether a problem is among the reasons, or is none: "". */
bool outcome_has_reason(const struct outcome *outcome, const char *problem);

/* outcome_show prints the reasons, and on the last line the words. */
void outcome_show(FILE *out, const struct outcome *outcome);

/* outcome_tell prints one line to a person whose system does not simply conform, on standard error: the program's name,
 * the outcome, the most important reason, and where to read on, `place`. Prints nothing when the outcome is good. */
void outcome_tell(const char *program, const struct outcome *outcome, const char *place);

/* outcome_is_good tells whether a program that showed this should end with status 0: the system under test conforms,
 * at least in part. */
bool outcome_is_good(const struct outcome *outcome);

#endif

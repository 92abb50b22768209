/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The results of a run so far.
 */
#ifndef TESTER_REPORT_RESULTS_H
#define TESTER_REPORT_RESULTS_H

#include "tester/capture/evidence_file.h"
#include "tester/profile/case_info.h"
#include "tester/profile/verdict.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct case_entry;

/* struct engine_result is what one case came to; strings live during the call that passes it. */
struct engine_result {
    const struct case_info *about;
    enum verdict verdict;
    const char *axis; /* whose it is: "sut", "configuration", "network", "tester"; "" with pass */
    const char *reason, *expected, *observed;
    const char *requirement; /* the requirement that the verdict is about; "" with pass */
    const char *symptom;     /* what cases with the same cause have in common; "" or NULL when nothing is known */
    const char *blocked_by_requirement, *blocked_by_case; /* what has kept the case from judging; "" or NULL: nothing */
    const struct evidence_file *evidence;                 /* the case's files, complete, with size and digest */
    size_t evidence_count;
    unsigned duration_ms;
    unsigned attempt;     /* at the case, from 2 on; 0: the first */
    bool counts;          /* this is what the case comes to, and not what an attempt before did (attempts.h) */
    const json_t *record; /* all of it: {"case": as report.json has it, "fault": what other cases may meet again}; with
                             it another run can go on (engine_config.earlier) */
};

struct results {
    json_t *cases, *matrix; /* the arrays of report.json, in the order in which cases ended */
    unsigned counts[VERDICT_COUNT];
    unsigned sut_failures; /* those of the failures on axis sut that are not waived */
    unsigned waived;       /* failures that are */
    unsigned behind;       /* inconclusive cases that a waived failure has blocked */
    unsigned not_needed;   /* cases that have passed although a failure would have been waived */
    json_t *waivers;       /* of report.json */
};

/* results_open begins with none, under the waivers of the run (waivers.h), an array or NULL; results_close frees. */
void results_open(struct results *results, const json_t *waivers);
void results_close(struct results *results);

/* results_add appends the result of a case, or adds a further attempt to it, fills in result->counts, and gives it as
 * report.json has it; a new reference. results_restore takes one that was given so by an earlier run; `about` is its
 * case. */
json_t *results_add(struct results *results, const struct case_entry *entry, struct engine_result *result);
void results_restore(struct results *results, const struct case_info *about, json_t *object);

#endif

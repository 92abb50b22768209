/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The likely causes of what went wrong in a run: cases that failed alike, and those that are blocked by them, are one
 * group, so that a reader looks at a fault once. In report.json:
 *
 *     "causes":[{"text":"PtlMEAttach returns PTL_FAIL","requirement":"P30-107","case":"entry-attach",
 *                "failed":["entry-attach",..],"blocked":["put-one",..]}]
 */
#ifndef TESTER_REPORT_CAUSES_H
#define TESTER_REPORT_CAUSES_H

#include <jansson.h>
#include <stdio.h>

/* causes_of groups the cases of a report: those that failed because of the system under test, those that are blocked,
 * and those whose set-up failed. The groups stand in the order of their first cases; a new reference. requirement and
 * case are "" where no case has judged what is broken. */
json_t *causes_of(const json_t *cases);

/* causes_show prints them, a line each. */
void causes_show(FILE *out, const json_t *causes);

/* causes_sizes says in words how large a group is: "3 cases failed, 120 are blocked by it". */
enum { CAUSES_SIZES = 96 };
void causes_sizes(const json_t *cause, char text[CAUSES_SIZES]);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much of what was asked for a run has really judged. A run conforms when nothing failed; it conforms in full when,
 * moreover, every requirement of the cases that were selected was judged by at least one of them. The difference is the
 * member `coverage` of report.json:
 *
 *     {"requirements":290,"judged":186,"not_judged":[{"reason":"..","requirements":["P30-011",..]},..]}
 */
#ifndef TESTER_REPORT_COVERAGE_H
#define TESTER_REPORT_COVERAGE_H

#include "tester/profile/selection.h"

#include <jansson.h>
#include <stdio.h>

/* coverage_of makes that object of the selected cases and the results so far, the array `cases` of report.json; a new
 * reference. */
json_t *coverage_of(const struct selection *selection, const json_t *results);

/* coverage_count reads both numbers; 0 of 0 where the object is none. */
void coverage_count(const json_t *coverage, unsigned *requirements, unsigned *judged);

/* coverage_show prints what was not judged, and why; nothing when all was. */
void coverage_show(FILE *out, const json_t *coverage);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What failed, as lines that continuous integration shows beside a change.
 */
#ifndef TESTER_REPORT_ANNOTATIONS_H
#define TESTER_REPORT_ANNOTATIONS_H

#include <jansson.h>
#include <stdio.h>

/* annotations_show writes a line for each case of report.json that failed (error), was inconclusive or came with a
 * warning (warning), as the runners of GitHub, Gitea and Forgejo read them: errors first, since a runner shows no more
 * than the first ten or so. What is waived or blocked by another case has none, and of the cases whose set-up failed
 * alike one has. A report that is NULL has no cases. */
void annotations_show(FILE *out, const json_t *report);

#endif

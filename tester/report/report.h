/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The reports of a run: report.json (DESIGN, section 7, and more fields), the same to read as report.html, and
 * junit.xml.
 */
#ifndef TESTER_REPORT_REPORT_H
#define TESTER_REPORT_REPORT_H

#include "tester/engine/run.h"
#include "tester/report/outcome.h"

#include <stdbool.h>
#include <stddef.h>

/* report_outcome decides what the run has come to so far. */
void report_outcome(const struct engine_run *run, struct outcome *outcome);

/* report_add appends a case's result to run->results and counts it. */
void report_add(struct engine_run *run, const struct case_entry *entry, const struct engine_result *result);

/* report_write writes report.json, report.html and junit.xml, each complete or not at all; false and a message when one
 * could not be. */
bool report_write(const struct engine_run *run, char *message, size_t message_octets);

/* junit_write writes the results, and what they come to, as JUnit XML; false with errno set when that fails. */
bool junit_write(const struct engine_run *run, const struct outcome *outcome, const char *path);

#endif

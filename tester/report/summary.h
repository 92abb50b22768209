/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A report as a few lines on the terminal: what each chapter of the specification came to, and what was not judged.
 */
#ifndef TESTER_REPORT_SUMMARY_H
#define TESTER_REPORT_SUMMARY_H

#include <jansson.h>
#include <stdio.h>

/* summary_show prints a line for each chapter (number, title, cases by verdict) in the order of the document, and then
 * what was not judged. summary_show_folder does so with FOLDER/report.json. Prints nothing without a report. */
void summary_show(FILE *out, const json_t *report);
void summary_show_folder(FILE *out, const char *folder);

#endif

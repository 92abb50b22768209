/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A report as one HTML page to read, print and hand on: no script, no picture, nothing loaded from anywhere. It is made
 * from report.json alone, so `assay run` leaves it in the report's folder and the service makes it of any run.
 */
#ifndef TESTER_REPORT_HTML_H
#define TESTER_REPORT_HTML_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Where the page stands, which decides how it names the evidence of a case: in the report's folder (cases/ID.txt), or
 * in the service beside the run's results (results/ID/transcript), or alone, without evidence. */
enum report_html_place { REPORT_HTML_FOLDER, REPORT_HTML_SERVICE, REPORT_HTML_ALONE };

/* report_html_write writes the page. Whatever the report holds is shown as text, never as markup. False: it could not
 * be written. */
bool report_html_write(FILE *out, const json_t *report, enum report_html_place place);

/* report_html_style gives what stands between <style> and </style>: a service allows that text alone. Static. */
const char *report_html_style(void);

/* report_html_save writes FOLDER/report.html from FOLDER/report.json, complete or not at all; false when it could not.
 */
bool report_html_save(const char *folder);

#endif

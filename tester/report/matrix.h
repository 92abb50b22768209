/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The matrix of a run in which implementations met each other: whose server, whose clients, which program, and what
 * came of it. It is the array `matrix` of report.json.
 */
#ifndef TESTER_REPORT_MATRIX_H
#define TESTER_REPORT_MATRIX_H

#include "tester/profile/case_info.h"
#include "tester/profile/verdict.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* matrix_cell gives {"server","client_a","client_b","program","verdict","case"} of a case that has a cell; a new
 * reference. */
json_t *matrix_cell(const struct case_info *about, enum verdict verdict);

enum { MATRIX_MEETINGS_MAX = 16 };

/* matrix_meetings gives the first cell of each meeting (a server with two clients), in the order in which they come;
 * how many there are. matrix_verdict gives the verdict of a program in the meeting of that cell, "-" without one.
 * matrix_is_first tells whether the cell of that index is its program's first: a row of a table. */
size_t matrix_meetings(const json_t *matrix, const json_t *meetings[MATRIX_MEETINGS_MAX]);
const char *matrix_verdict(const json_t *matrix, const char *program, const json_t *meeting);
bool matrix_is_first(const json_t *matrix, size_t index);

/* matrix_show prints the matrix of a report as a table: a row for each program, a column for each meeting. Prints
 * nothing when the report has none, or is NULL. matrix_show_folder does so with FOLDER/report.json. */
void matrix_show(FILE *out, const json_t *report);
void matrix_show_folder(FILE *out, const char *folder);

#endif

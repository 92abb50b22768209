/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The matrix of a run in which implementations met each other: whose server, whose clients, which program, and what
 * came of it. It is the array `matrix` of report.json.
 */
#ifndef TESTER_MATRIX_H
#define TESTER_MATRIX_H

#include "tester/engine.h"

#include <jansson.h>
#include <stdio.h>

/* matrix_cell gives {"server","client_a","client_b","program","verdict","case"} of a case that has a cell; a new
 * reference. */
json_t *matrix_cell(const struct engine_case *about, enum engine_verdict verdict);

/* matrix_show prints the matrix of a report as a table: a row for each program, a column for each meeting. Prints
 * nothing when the report has none, or is NULL. matrix_show_folder does so with FOLDER/report.json. */
void matrix_show(FILE *out, const json_t *report);
void matrix_show_folder(FILE *out, const char *folder);

#endif

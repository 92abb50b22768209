/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The matrix of meetings (matrix.h), as JSON and on the terminal:
 *
 *                     server:    reference  reference
 *                     client 0:  sut        sut
 *                     client 1:  sut        reference
 *     ring                       pass       fail
 */
#include "tester/report/matrix.h"

#include "tester/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAM_WIDTH = 16, WIDTH = 13 };

static const char *const keys[] = {"server", "client_a", "client_b"};

json_t *matrix_cell(const struct case_info *about, enum verdict verdict)
{
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s}", "server", about->cell[CELL_SERVER], "client_a",
                     about->cell[CELL_CLIENT_A], "client_b", about->cell[CELL_CLIENT_B], "program",
                     about->cell[CELL_PROGRAM], "verdict", verdict_name(verdict), "case", about->id);
}

static const char *text_of(const json_t *cell, const char *key)
{
    const char *text = json_string_value(json_object_get(cell, key));

    return text ? text : "";
}

/* Whether two cells are of the same meeting. */
static bool same_meeting(const json_t *one, const json_t *other)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(text_of(one, keys[i]), text_of(other, keys[i])) != 0) {
            return false;
        }
    }
    return true;
}

size_t matrix_meetings(const json_t *matrix, const json_t *columns[MATRIX_MEETINGS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(matrix); i++) {
        const json_t *cell = json_array_get(matrix, i);
        size_t k = 0;

        while (k < count && !same_meeting(columns[k], cell)) {
            k++;
        }
        if (k == count && count < MATRIX_MEETINGS_MAX) {
            columns[count++] = cell;
        }
    }
    return count;
}

const char *matrix_verdict(const json_t *matrix, const char *program, const json_t *meeting)
{
    const char *verdict = "-";

    for (size_t i = 0; i < json_array_size(matrix); i++) {
        const json_t *cell = json_array_get(matrix, i);

        if (strcmp(text_of(cell, "program"), program) == 0 && same_meeting(cell, meeting)) {
            verdict = text_of(cell, "verdict");
        }
    }
    return verdict;
}

bool matrix_is_first(const json_t *matrix, size_t index)
{
    const char *program = text_of(json_array_get(matrix, index), "program");
    size_t first = 0;

    while (strcmp(text_of(json_array_get(matrix, first), "program"), program) != 0) {
        first++;
    }
    return first == index;
}

/* One program's verdicts; the program is that of the cell. */
static void show_row(FILE *out, const json_t *matrix, const char *program, const json_t *const *columns, size_t count)
{
    fprintf(out, "  %-*s          ", PROGRAM_WIDTH, program);
    for (size_t k = 0; k < count; k++) {
        fprintf(out, " %-*s", k + 1 < count ? WIDTH : 0, matrix_verdict(matrix, program, columns[k]));
    }
    fputc('\n', out);
}

static void show_head(FILE *out, const json_t *const *columns, size_t count)
{
    static const char *const titles[] = {"server", "client 0", "client 1"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        fprintf(out, "  %*s%9s:", PROGRAM_WIDTH, "", titles[i]);
        for (size_t k = 0; k < count; k++) {
            fprintf(out, " %-*s", k + 1 < count ? WIDTH : 0, text_of(columns[k], keys[i]));
        }
        fputc('\n', out);
    }
}

void matrix_show(FILE *out, const json_t *report)
{
    const json_t *matrix = json_object_get(report, "matrix"), *columns[MATRIX_MEETINGS_MAX];
    size_t count = matrix_meetings(matrix, columns);

    if (count > 0) {
        show_head(out, columns, count);
    }
    for (size_t i = 0; i < json_array_size(matrix); i++) {
        if (matrix_is_first(matrix, i)) { /* a row for each program, where it comes first */
            show_row(out, matrix, text_of(json_array_get(matrix, i), "program"), columns, count);
        }
    }
}

void matrix_show_folder(FILE *out, const char *folder)
{
    char *path = memory_format("%s/report.json", folder);
    json_t *report = json_load_file(path, 0, NULL);

    matrix_show(out, report);
    json_decref(report);
    free(path);
}

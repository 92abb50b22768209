/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The report's summary (summary.h):
 *
 *     chapter 3.5   Network Interfaces                        12 pass, 1 skip
 *     chapter 3.10  Data Movement Operations                  31 pass
 */
#include "tester/report/summary.h"

#include "tester/base/memory.h"
#include "tester/report/causes.h"
#include "tester/report/chapters.h"
#include "tester/report/coverage.h"

#include <stdlib.h>

enum { TITLE_WIDTH = 44 };

static void show_chapter(FILE *out, const struct chapter *chapter)
{
    const char *comma = "";

    fprintf(out, "chapter %-7s %-*s ", chapter->number, TITLE_WIDTH, chapter->title);
    for (size_t i = 0; i < CHAPTERS_VERDICTS; i++) {
        if (chapter->counts[i] > 0) {
            fprintf(out, "%s%u %s", comma, chapter->counts[i], chapters_verdicts[i]);
            comma = ", ";
        }
    }
    fputc('\n', out);
}

static void show_chapters(FILE *out, const json_t *cases)
{
    size_t count;
    struct chapter *chapters = chapters_of(cases, &count);

    for (size_t i = 0; i < count; i++) {
        show_chapter(out, &chapters[i]);
    }
    free(chapters);
}

void summary_show(FILE *out, const json_t *report)
{
    show_chapters(out, json_object_get(report, "cases"));
    causes_show(out, json_object_get(report, "causes"));
    coverage_show(out, json_object_get(report, "coverage"));
}

void summary_show_folder(FILE *out, const char *folder)
{
    char *path = memory_format("%s/report.json", folder);
    json_t *report = json_load_file(path, 0, NULL);

    summary_show(out, report);
    json_decref(report);
    free(path);
}

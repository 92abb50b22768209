/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The report's summary (summary.h):
 *
 *     chapter 3.5   Network Interfaces                        12 pass, 1 skip
 *     chapter 3.10  Data Movement Operations                  31 pass
 */
#include "tester/summary.h"

#include "tester/coverage.h"
#include "tester/memory.h"

#include <stdlib.h>
#include <string.h>

enum { VERDICTS = 5, TITLE_WIDTH = 44 };

static const char *const verdicts[VERDICTS] = {"pass", "fail", "warn", "skip", "inconclusive"};

struct chapter {
    const char *number, *title;
    unsigned counts[VERDICTS];
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

/* The order of the document: by the numbers between the dots, 3.9 before 3.10. */
static int compare(const void *one, const void *other)
{
    const char *a = ((const struct chapter *)one)->number, *b = ((const struct chapter *)other)->number;
    char *end_a, *end_b;

    while (*a && *b) {
        unsigned long first = strtoul(a, &end_a, 10), second = strtoul(b, &end_b, 10);

        if (first != second || end_a == a || end_b == b) {
            return first < second ? -1 : first > second ? 1 : strcmp(a, b);
        }
        a = end_a + (*end_a == '.');
        b = end_b + (*end_b == '.');
    }
    return (*a != 0) - (*b != 0);
}

static struct chapter *chapter_of(struct chapter *chapters, size_t *count, const json_t *one)
{
    const char *number = text_of(one, "chapter");

    for (size_t i = 0; i < *count; i++) {
        if (strcmp(chapters[i].number, number) == 0) {
            return &chapters[i];
        }
    }
    chapters[*count] = (struct chapter){.number = number, .title = text_of(one, "chapter_title")};
    return &chapters[(*count)++];
}

static void show_chapter(FILE *out, const struct chapter *chapter)
{
    const char *comma = "";

    fprintf(out, "chapter %-7s %-*s ", chapter->number, TITLE_WIDTH, chapter->title);
    for (size_t i = 0; i < VERDICTS; i++) {
        if (chapter->counts[i] > 0) {
            fprintf(out, "%s%u %s", comma, chapter->counts[i], verdicts[i]);
            comma = ", ";
        }
    }
    fputc('\n', out);
}

static void show_chapters(FILE *out, const json_t *cases)
{
    struct chapter *chapters = memory_zero((json_array_size(cases) + 1) * sizeof *chapters);
    size_t count = 0;

    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        struct chapter *chapter = chapter_of(chapters, &count, one);

        for (size_t k = 0; k < VERDICTS; k++) {
            chapter->counts[k] += strcmp(text_of(one, "verdict"), verdicts[k]) == 0;
        }
    }
    qsort(chapters, count, sizeof *chapters, compare);
    for (size_t i = 0; i < count; i++) {
        show_chapter(out, &chapters[i]);
    }
    free(chapters);
}

void summary_show(FILE *out, const json_t *report)
{
    show_chapters(out, json_object_get(report, "cases"));
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

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Counting cases by chapter (chapters.h), for the summary on the terminal and for the report to read.
 */
#include "tester/report/chapters.h"

#include "tester/base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const chapters_verdicts[CHAPTERS_VERDICTS] = {"pass", "fail", "warn", "skip", "inconclusive"};

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

struct chapter *chapters_of(const json_t *cases, size_t *count)
{
    struct chapter *chapters = memory_zero((json_array_size(cases) + 1) * sizeof *chapters);

    *count = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        struct chapter *chapter = chapter_of(chapters, count, one);

        for (size_t k = 0; k < CHAPTERS_VERDICTS; k++) {
            chapter->counts[k] += strcmp(text_of(one, "verdict"), chapters_verdicts[k]) == 0;
        }
    }
    qsort(chapters, *count, sizeof *chapters, compare);
    return chapters;
}

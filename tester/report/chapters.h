/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The cases of a report by the chapters of their specification.
 */
#ifndef TESTER_REPORT_CHAPTERS_H
#define TESTER_REPORT_CHAPTERS_H

#include <jansson.h>
#include <stddef.h>

enum { CHAPTERS_VERDICTS = 5 };

/* chapters_verdicts are the verdicts in the order in which they are counted. */
extern const char *const chapters_verdicts[CHAPTERS_VERDICTS];

/* struct chapter is one chapter; texts belong to the report. */
struct chapter {
    const char *number, *title;
    unsigned counts[CHAPTERS_VERDICTS];
};

/* chapters_of counts the array `cases` of a report; the chapters come in the order of the document, 3.9 before 3.10.
 * The caller frees. */
struct chapter *chapters_of(const json_t *cases, size_t *count);

#endif

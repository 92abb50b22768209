/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A run's progress on a terminal: a bar where there is one, plain lines otherwise.
 */
#ifndef TESTER_COMMANDS_PROGRESS_H
#define TESTER_COMMANDS_PROGRESS_H

#include "tester/engine/engine.h"

#include <stdbool.h>
#include <stdio.h>

struct progress {
    FILE *out;
    bool bar;     /* out is a terminal */
    bool verbose; /* notes are shown too */
    unsigned index, total;
};

/* progress_open looks at `out`; progress_clear takes the bar away, if there is one. */
void progress_open(struct progress *progress, FILE *out, bool verbose);
void progress_clear(struct progress *progress);

/* progress_note, progress_started, progress_result and progress_finished are members of a struct engine_observer whose
 * context is the progress. */
void progress_note(void *context, const char *kind, const char *text);
void progress_started(void *context, const struct case_info *about, unsigned index, unsigned total);
void progress_result(void *context, const struct engine_result *result);
void progress_finished(void *context, const struct engine_summary *summary, const char *problem);

#endif

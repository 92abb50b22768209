/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The table of everything that the interpreter can do: verbs are found in it, their pairs are checked by it, and
 * `commands` is answered from it. The files verbs_*.c bring the rows that every interpreter has; those of the library
 * come through api.h.
 */
#ifndef INTERPRETER_CORE_VERBS_H
#define INTERPRETER_CORE_VERBS_H

#include <stdbool.h>
#include <stddef.h>

#include "call.h"
#include "executor.h"

/* struct verb is one row. `pairs` is a list for command_check. `alone`: not within a batch. */
struct verb {
    const char *name, *pairs;
    void (*run)(struct call *call);
    bool alone;
};

/* The chapters that every interpreter has; each ends with a row without name. */
extern const struct verb verbs_memory[], verbs_time[], verbs_batch[], verbs_self[];

/* verbs_run executes the command that `body` holds, which is cut into words by this. What went wrong is in
 * call->failure. */
void verbs_run(struct call *call, char *body);

/* verbs_execute executes a command under its deadline and sends the reply. Does not return from quit and abandon. */
void verbs_execute(struct executor *executor, struct work *work);

/* verbs_lines_behind says how many of the lines that follow belong to the command: 0, unless it is a batch. */
size_t verbs_lines_behind(const char *body);

/* verbs_add_names writes all names, separated by commas. */
void verbs_add_names(struct line *line);

#endif

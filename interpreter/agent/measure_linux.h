/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the jobs consist of: the files of code that their processes have mapped, as Linux shows them in /proc, and those
 * that a template names (specs/interpreter.md, section 5).
 */
#ifndef INTERPRETER_AGENT_MEASURE_LINUX_H
#define INTERPRETER_AGENT_MEASURE_LINUX_H

#include <stdbool.h>

/* measure_can tells whether this system shows it. */
bool measure_can(void);

/* measure_forget: a manager that has been told nothing yet is connected. */
void measure_forget(void);

/* measure_jobs looks at all jobs, and sends a notice for each file whose path and content have not been told before.
 * Gives how many there are in all. `server` may be NULL. Reads each file once, as long as it does not change. */
unsigned measure_jobs(char *const *words, char *const *server);

#endif

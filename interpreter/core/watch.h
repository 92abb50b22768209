/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The watchdog: ends the process when a command passes its deadline.
 */
#ifndef INTERPRETER_CORE_WATCH_H
#define INTERPRETER_CORE_WATCH_H

#include <stdbool.h>

#include "executor.h"

/* watch_open starts the watchdog's thread; false when the system gives none. */
bool watch_open(void);

/* watch_begin and watch_end enclose the execution of a command. If the deadline comes in between, `! hang` is sent and
 * the process ends with EXIT_HUNG. Lock: watch's own, for a moment. */
void watch_begin(struct executor *executor, unsigned long id, unsigned long deadline_ms);
void watch_end(struct executor *executor);

#endif

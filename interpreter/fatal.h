/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process that dies says so: fatal signals and calls of exit that nobody asked for.
 */
#ifndef INTERPRETER_FATAL_H
#define INTERPRETER_FATAL_H

#include <stdbool.h>

/* fatal_open catches fatal signals and registers for exit. With keep_core the process ends by the signal itself after
 * its notice, so that the system may write a core file; else with EXIT_CRASHED. Call it on the main executor's thread.
 */
void fatal_open(bool keep_core);

/* fatal_claim takes the signals again: some libraries put handlers of their own in place when they are initialised, and
 * then a crash would not be told. */
void fatal_claim(void);

/* fatal_use_stack gives the calling thread a stack of its own for signal handlers, so that a stack overflow is reported
 * as well; fatal_leave_stack takes it back. NULL when memory is short: then handlers run on the thread's own stack. */
void *fatal_use_stack(void);
void fatal_leave_stack(void *stack);

#endif

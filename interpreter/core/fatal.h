/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A process that dies says so: fatal signals and calls of exit that nobody asked for.
 */
#ifndef INTERPRETER_CORE_FATAL_H
#define INTERPRETER_CORE_FATAL_H

#include <stdbool.h>

/* fatal_open catches fatal signals and registers for exit. With keep_core the process ends by the signal itself after
 * its notice, so that the system may write a core file; else with EXIT_CRASHED. Call it on the main executor's thread.
 */
void fatal_open(bool keep_core);

/* fatal_claim takes the signals again: some libraries put handlers of their own in place when they are initialised, and
 * then a crash would not be told. */
void fatal_claim(void);

#endif

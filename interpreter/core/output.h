/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Everything that the interpreter says to the manager: replies of several threads, and the notice of a dying
 * process.
 */
#ifndef INTERPRETER_CORE_OUTPUT_H
#define INTERPRETER_CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "../common/line.h"
#include "notice.h"

/* output_open sets the connection. Call it before any thread is started. */
void output_open(int fd);

/* output_line sends a line, adding its LF; whole lines of several threads never mix. The process ends with EXIT_REFUSED
 * when the manager does not take it. A line that failed is replaced by an error with the given id. Lock: output's own.
 */
void output_line(struct line *line, unsigned long id);

/* output_quit says that the process is about to end because the manager wants it: no notice is due any more.
 * output_is_quitting tells whether it has been called. */
void output_quit(void);
bool output_is_quitting(void);

/* output_notice adds an LF and sends the last line of this process. Async-signal-safe and without a lock, so that a
 * library that died within the C library or holding its own locks is reported too. From the first call on no reply is
 * sent any more, and a second caller is stopped for ever: a process dies once. */
void output_notice(struct notice *notice);

#endif

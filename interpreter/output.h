/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Everything that the interpreter says to the manager: replies of several threads, and the last words of a dying
 * process.
 */
#ifndef INTERPRETER_OUTPUT_H
#define INTERPRETER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "line.h"

/* output_open sets the connection. Call it before any thread is started. */
void output_open(int fd);

/* output_line sends a line, adding its LF; whole lines of several threads never mix. The process ends with EXIT_REFUSED
 * when the manager does not take it. A line that failed is replaced by an error with the given id. Lock: output's own.
 */
void output_line(struct line *line, unsigned long id);

/* output_quit says that the process is about to end because the manager wants it: no notice is due any more. */
void output_quit(void);
bool output_is_quitting(void);

/* struct last_words is a short line that can be made in a signal handler. All zero is empty; what does not fit is cut
 * off. */
struct last_words {
    char text[1024];
    size_t len;
};

/* These append, and output_last_words sends. They are async-signal-safe and take no lock, so that a library that died
 * within the C library or holding its own locks is reported too. From the first call of output_last_words on, no reply
 * is sent any more, and a second caller is stopped for ever: one death is told. */
void last_words_add(struct last_words *words, const char *text);
void last_words_add_number(struct last_words *words, unsigned long number);
void output_last_words(struct last_words *words);

#endif

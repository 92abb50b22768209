/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The standard streams of a program: output that is lost is an error, and no file takes the place of a stream that was
 * closed.
 */
#ifndef TESTER_BASE_OUTPUT_H
#define TESTER_BASE_OUTPUT_H

#include <stdbool.h>

/* output_begin takes the places of standard streams that are closed, so that no file or socket that the program opens
 * gets one of their numbers: what is written there fails, what is read is at its end. To be called first of all. */
void output_begin(void);

/* output_flushed tells whether all that was printed has been written; if not it says so on standard error, after the
 * name of the program ("assay check"). Clears the error, so that it is told once. */
bool output_flushed(const char *program);

#endif

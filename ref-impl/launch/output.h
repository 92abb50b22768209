/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The standard streams of a launcher: what it prints is read by people and scripts, who must know when it is lost.
 */
#ifndef REF_IMPL_LAUNCH_OUTPUT_H
#define REF_IMPL_LAUNCH_OUTPUT_H

#include <stdbool.h>

/* output_begin takes the places of standard streams that are closed, so that no socket of the program gets one of their
 * numbers and messages for people go into it: what is written there fails. To be called first of all. */
void output_begin(void);

/* output_flushed tells whether all that was printed has been written; if not it says so on standard error. */
bool output_flushed(const char *program);

#endif

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The messages of IMPI's collective operations until the first pass is over. A later message may show which process
 * the root of an operation is, and on communicators other than MPI_COMM_WORLD the end of the job which operation a
 * message was of.
 */
#ifndef DISSECTOR_COMMON_STEPS_H
#define DISSECTOR_COMMON_STEPS_H

#include "wire/follow/examine.h"

/* steps_begin - of a capture file; steps_end frees it.
 * steps_add - the next message, in the memory of the file. The step is completed later.
 * steps_settle - the capture has ended: completes them. */
void steps_begin(void);
void steps_end(void);
const struct wire_impi_step *steps_add(const struct wire_impi_job *job, const struct wire_impi_step *step);
void steps_settle(const struct wire_examine *examine);

#endif

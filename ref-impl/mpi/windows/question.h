/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Questions to the threads at the targets, in their order: one goes at once where a slot of its target is free; those
 * that come while all are taken wait, and as many as fit go together in the next one. The thread that calls MPI.
 */
#ifndef REF_IMPL_MPI_WINDOWS_QUESTION_H
#define REF_IMPL_MPI_WINDOWS_QUESTION_H

#include <portals.h>
#include <stdbool.h>
#include <stddef.h>

struct window_piece;

/* question_add - sends the question of a piece, or lets it wait; never blocks. True: so much waits for that target that
 * it is time to look for answers, which let it go. */
bool question_add(struct window_piece *piece);

/* question_answered - takes note of an answer: what was fetched goes to the results, and what waits goes into the slot.
 * The message that carried the questions; NULL: there was none. */
struct window_piece *question_answered(const ptl_event_t *event);

/* question_waiting - octets of questions that wait, of all targets. */
size_t question_waiting(void);

#endif

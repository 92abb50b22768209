/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is done at the target of one-sided communication because it needs a processor there. One thread at a time calls
 * this, the one whose turn it is (attend.h).
 */
#ifndef REF_IMPL_MPI_WINDOWS_SERVE_H
#define REF_IMPL_MPI_WINDOWS_SERVE_H

#include <portals.h>
#include <stdbool.h>

/* serve_event - does what an event of the queue `asked` tells of, and answers; never blocks. False: it was the message
 * of this process itself, after which there are no others.
 * serve_owes - whether answers have not left yet: events of theirs are still to come. */
bool serve_event(const ptl_event_t *event);
bool serve_owes(void);

#endif

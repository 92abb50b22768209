/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Cancelling what the local device has sent: see local/cancel.c.
 */
#ifndef REF_IMPL_MPI_LOCAL_CANCEL_H
#define REF_IMPL_MPI_LOCAL_CANCEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/short_path.h"

struct request;

/* local_helper_open starts the thread that answers other processes; false when there is none to be had.
 * local_helper_close ends it, and blocks until it has ended; engine's lock not held. */
bool local_helper_open(void);
void local_helper_close(void);

/* local_cancel_send - tries to undo a send. The request is done when it has succeeded or failed for good. Engine's lock
 * held. */
void local_cancel_send(struct request *request);

/* local_cancel_answered - the receiver has said what became of the long message of that number. Engine's lock held. */
void local_cancel_answered(int rid, uint32_t number, bool forgotten);

/* local_cancel_answered_short - the same for a short message of that number. */
void local_cancel_answered_short(int rid, uint32_t number, bool forgotten);

/* local_cancel_asks - answers what the helper has left to the program's thread. Engine's lock held. */
ASIDE void local_cancel_asks(void);

#endif

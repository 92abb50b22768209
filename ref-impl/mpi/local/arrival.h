/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages that came to the local device before their receives: buffers for the short ones, and the list in which all
 * of them wait. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_ARRIVAL_H
#define REF_IMPL_MPI_LOCAL_ARRIVAL_H

#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/short_path.h"

/* local_buffers_open makes the buffers, all empty; false when memory is used up. local_buffers_close frees them. */
bool local_buffers_open(void);
void local_buffers_close(void);

/* local_credit_owed says that a short message of that process is read, wherever it was. */
void local_credit_owed(int rid);

/* local_arrivals_note takes all arrivals out of the queue of events: what neither the receive that is being posted nor
 * a listed one wants goes to the list of unexpected messages. Whether there were any. */
ASIDE bool local_arrivals_note(void);

/* local_arrival_event does so for one event. */
void local_arrival_event(const ptl_event_t *event);

/* local_arrival_take brings the octets of a message to the receive that wants it, and takes it out of the list. */
void local_arrival_take(struct local_arrival *arrival, struct request *request);

/* local_outcome writes what bits and length of a message say of it. */
void local_outcome(int rid, ptl_match_bits_t bits, ptl_size_t length, struct request_outcome *outcome);

/* local_arrival_forget takes the long message of that number out of the list, local_arrival_forget_short the short one
 * of those bits: its sender has cancelled it. False when it is not there. */
bool local_arrival_forget(int rid, uint32_t number);
bool local_arrival_forget_short(int rid, ptl_match_bits_t bits);

#endif

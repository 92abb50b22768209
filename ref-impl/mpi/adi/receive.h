/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Receiving in MPI on Puma. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_ADI_RECEIVE_H
#define REF_IMPL_MPI_ADI_RECEIVE_H

#include <stdbool.h>

struct request;
struct request_match;
struct request_outcome;

/* adi_receive - takes a message that has come, or posts the receive; may give the lock away until a message that is
 * just arriving is there.
 * adi_receive_withdraw - takes a posted receive out; false: there is a message for it.
 * adi_receive_poll - takes note of what has come to all receives.
 * adi_receive_close - gives up all that are posted.
 * adi_probe - looks for a message that has come and fits. */
void adi_receive(struct request *request);
bool adi_receive_withdraw(struct request *request);
void adi_receive_poll(void);
void adi_receive_close(void);
bool adi_probe(const struct request_match *match, struct request_outcome *outcome);

#endif

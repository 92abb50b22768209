/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending in MPI on Puma. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_ADI_SEND_H
#define REF_IMPL_MPI_ADI_SEND_H

#include <stdbool.h>

struct request;

/* adi_send - begins to send, or lets the message wait for its turn.
 * adi_send_withdraw - takes out a message that still waits; false: it has begun to leave.
 * adi_send_credits - tells a process that so many of its short messages are out of the heap, and so many of its long
 * ones noted; false: not now.
 * adi_send_credited - a process told so.
 * adi_send_poll - takes note of what has become of all messages.
 * adi_send_is_leaving - whether anything is still on its way that no receiver has to ask for.
 * adi_send_close - gives up what nobody has received. */
void adi_send(struct request *request);
bool adi_send_withdraw(struct request *request);
bool adi_send_credits(int rid, int count, unsigned noted);
void adi_send_credited(int rid, unsigned long long said);
void adi_send_poll(void);
bool adi_send_is_leaving(void);
void adi_send_close(void);

#endif

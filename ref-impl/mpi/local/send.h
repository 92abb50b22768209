/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sending in the local device: see send.c. Engine's lock held throughout.
 */
#ifndef REF_IMPL_MPI_LOCAL_SEND_H
#define REF_IMPL_MPI_LOCAL_SEND_H

#include <portals.h>
#include <stdint.h>

struct request;

/* local_send - begins to send to a process of the client. The program's thread. */
void local_send(struct request *request);

/* local_send_event - an event of a send's own.
 * local_credit - so many of the short messages to that process have been read.
 * local_send_noted - it has noted so many of the long ones. */
void local_send_event(struct request *request, const ptl_event_t *event);
void local_credit(int rid, uint32_t count);
void local_send_noted(int rid, uint32_t count);

/* local_send_withdraw - takes a send out of its queue, and is done with it.
 * local_send_deferred - sends what can go now. */
void local_send_withdraw(struct request *request);
void local_send_deferred(void);

/* local_send_settled - a long send needs its number and its entry no longer; finishes it if that was all. */
void local_send_settled(struct request *request);

#endif

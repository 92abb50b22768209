/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The two ends of a request: from the buffer of the program to a device, and back.
 */
#ifndef REF_IMPL_MPI_MESSAGES_REQUEST_TRANSFER_H
#define REF_IMPL_MPI_MESSAGES_REQUEST_TRANSFER_H

#include <mpi.h>
#include <stdbool.h>

struct p2p_message;
struct request;

/* request_begin - packs what is sent, or makes room for what is received, and hands the request to a device, or to
 * both. An error class, and the request stays IDLE. Engine's lock held. */
int request_begin(struct request *request);

/* request_send_now - sends a message without a request, where it lies in memory as it goes, is short, is for a process
 * of the client and can go at once; waits until it has left. False: nothing was done. The program's thread, without
 * the lock. */
bool request_send_now(const struct p2p_message *message);

/* request_retire - unpacks what was received, writes `status` unless that is NULL, and makes a DONE request IDLE. Its
 * error class. The program's thread, lock held. */
int request_retire(struct request *request, MPI_Status *status);

#endif

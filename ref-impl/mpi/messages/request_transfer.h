/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The two ends of a request: from the buffer of the program to a device, and back.
 */
#ifndef REF_IMPL_MPI_MESSAGES_REQUEST_TRANSFER_H
#define REF_IMPL_MPI_MESSAGES_REQUEST_TRANSFER_H

#include <mpi.h>

struct request;

/* request_begin - packs what is sent, or makes room for what is received, and hands the request to a device, or to
 * both. An error class, and the request stays IDLE. Engine's lock held. */
int request_begin(struct request *request);

/* request_retire - unpacks what was received, writes `status` unless that is NULL, and makes a DONE request IDLE. Its
 * error class. The program's thread, lock held. */
int request_retire(struct request *request, MPI_Status *status);

#endif

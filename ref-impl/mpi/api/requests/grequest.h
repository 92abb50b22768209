/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Requests of which the program says itself when they are done, and by functions of its own what their statuses are.
 * Chapter 12.2 of MPI-3.
 */
#ifndef REF_IMPL_MPI_API_REQUESTS_GREQUEST_H
#define REF_IMPL_MPI_API_REQUESTS_GREQUEST_H

#include "ref-impl/include/mpi.h"

struct request;

/* grequest_query - has the program fill in the status, which may be NULL, of a request that is done. An error code.
 * grequest_free - tells the program that the request is gone. An error code.
 * grequest_cancel - tells the program that it wants to cancel the request. An error code.
 * All do nothing for requests of other kinds. */
int grequest_query(const struct request *request, MPI_Status *status);
int grequest_free(struct request *request);
int grequest_cancel(const struct request *request);

#endif

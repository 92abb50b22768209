/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What is done with requests: by the MPI functions on them, and by p2p.c. The engine's lock is not held.
 */
#ifndef REF_IMPL_MPI_MESSAGES_P2P_REQUEST_H
#define REF_IMPL_MPI_MESSAGES_P2P_REQUEST_H

#include <mpi.h>
#include <stdbool.h>

struct request;

/* p2p_begin - begins an IDLE request; never waits for a call of another process. An error class, and it stays IDLE. */
int p2p_begin(struct request *request);

/* p2p_finish - blocks until the request is done and makes it IDLE. Its error class; `status` may be NULL. */
int p2p_finish(struct request *request, MPI_Status *status);

/* p2p_complete - both, for a receive. */
int p2p_complete(struct request *request, MPI_Status *status);

/* p2p_await - whether all, or at least one, of these requests are done; `wait`: blocks until that is so. NULL and IDLE
 * ones do not count; there is at least one that does. */
bool p2p_await(struct request *const *requests, int count, bool all, bool wait);

/* p2p_is_done - whether a request is done, as far as is known. Never blocks, and does not look for news. */
bool p2p_is_done(const struct request *request);

/* p2p_cancel - tries to undo an ACTIVE or DONE request; it gets done either way. Never blocks. */
void p2p_cancel(struct request *request);

/* p2p_abandon - the request goes on without the program, and is freed when it is done. */
void p2p_abandon(struct request *request);

#endif

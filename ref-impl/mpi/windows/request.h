/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Requests of one-sided communication: MPI_Rput and its like. Chapter 11.3.5 of MPI-3.
 *
 * What is under way to windows is heard of in a queue of its own (state.h), which the engine does not wait for. So a
 * fiber looks at it as long as there is such a request, whenever the program waits or tests.
 */
#ifndef REF_IMPL_MPI_WINDOWS_REQUEST_H
#define REF_IMPL_MPI_WINDOWS_REQUEST_H

struct mpi_win;
struct request;

/* windows_request_new - a request that is ACTIVE until windows_request_done, for which `look` looks: it never blocks.
 * NULL: memory is used up.
 * windows_request_done - what it stands for is done; NULL: nothing. Lock not held.
 * windows_request_drop - takes one away that nothing has been begun for. */
struct request *windows_request_new(struct mpi_win *win, void (*look)(void));
void windows_request_done(struct request *request);
void windows_request_drop(struct request *request);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who may access a window when: chapter 6.4 of MPI-2. Arguments are good and the calls come in an order that the
 * standard allows. All block as the standard says, and return error classes: MPI_ERR_RMA_RANGE of those that end
 * accesses says that a target has refused one, since nothing is attached there.
 */
#ifndef REF_IMPL_MPI_WINDOWS_SYNC_H
#define REF_IMPL_MPI_WINDOWS_SYNC_H

#include <stdbool.h>

struct mpi_group;
struct mpi_win;

/* sync_fence - all accesses by and to this process are done; `more`: another epoch begins. */
int sync_fence(struct mpi_win *win, bool more);

/* sync_start - waits until each member of the group has posted.
 * sync_complete - ends the accesses to them, and says so to each.
 * sync_post - lets the members of a group access this process's part; does not block.
 * sync_wait - waits until all of them have completed; with `wait` false only looks, and stores whether they have. */
int sync_start(struct mpi_win *win, struct mpi_group *group);
int sync_complete(struct mpi_win *win);
int sync_post(struct mpi_win *win, const struct mpi_group *group);
int sync_wait(struct mpi_win *win, bool wait, bool *done);

/* sync_flush - waits until all accesses to a rank's part are done, at this process and there.
 * sync_flush_local - at this process: what is accumulated has been copied, and waits for nothing.
 * sync_lock - gets the lock of a rank's part.
 * sync_unlock - ends the accesses to it and gives the lock back. */
int sync_flush(struct mpi_win *win, int rank);
int sync_flush_local(struct mpi_win *win, int rank);
int sync_lock(struct mpi_win *win, int rank, bool exclusive);
int sync_unlock(struct mpi_win *win, int rank);

#endif

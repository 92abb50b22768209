/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages of one-sided communication, from the side that begins it. The thread that calls MPI; nothing here waits for
 * a call of another process, but for the lock of a window.
 */
#ifndef REF_IMPL_MPI_WINDOWS_PIECE_H
#define REF_IMPL_MPI_WINDOWS_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpi_win;
struct window_ask;
struct window_transfer;

/* What a piece moves: octets of the program, or of a transfer's own, that stay until it is done. */
struct piece_octets {
    void *octets;
    size_t len;
    uint64_t offset; /* in the window of the target */
};

/* piece_put, piece_get - begins to move octets to, or from, a window's part at a rank; may wait until earlier messages
 * are done. `transfer` is told of its end. False: memory is used up. */
bool piece_put(struct window_transfer *transfer, struct mpi_win *win, int rank, const struct piece_octets *moved);
bool piece_get(struct window_transfer *transfer, struct mpi_win *win, int rank, const struct piece_octets *moved);

/* piece_ask - asks the thread at a rank for what `ask` says; what is behind it counts as `ask->octets` does. `transfer`
 * may be NULL. What is fetched goes to `result`; where it does not come, the window has failed. Takes `ask`, which came
 * from malloc. False: memory is used up. */
bool piece_ask(struct window_transfer *transfer, struct mpi_win *win, int rank, struct window_ask *ask, void *result);

/* piece_look - takes note of what has got done; never blocks. */
void piece_look(void);

/* piece_await - waits until nothing is under way to a rank of the window, or to any (rank -1): all that was put is in
 * the memory of the targets, all that was got here.
 * piece_await_lent - waits until the program may use again all octets that it has given to accesses to a rank. */
void piece_await(struct mpi_win *win, int rank);
void piece_await_lent(struct mpi_win *win, int rank);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The last step of all functions that make a window, and what programs say of windows.
 */
#ifndef REF_IMPL_MPI_API_WINDOWS_LIFE_H
#define REF_IMPL_MPI_API_WINDOWS_LIFE_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/windows/window.h"

/* life_create - checks the memory, makes a window of it with all processes of the call's communicator, and stores its
 * handle. What the function returns. */
int life_create(struct mpi_call *call, const struct window_memory *memory, MPI_Info info, MPI_Win *win);

/* hints_make - gives a window hints of its own, which MPI_Win_free frees: those of the standard, and what `info` says
 * (MPI_INFO_NULL: nothing).
 * hints_take - takes what `info` says of those. An error class: memory is used up. */
int hints_make(struct mpi_win *win, MPI_Info info);
int hints_take(struct mpi_win *win, MPI_Info info);

#endif

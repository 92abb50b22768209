/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accumulates where the memory of the target is shared (shared.h): the process that asks does them itself, under the
 * lock of that memory, and nobody at the target has a part in it. All processes of a window do so, or none, and each
 * does one access after the other: so each element is combined in one step, in the order in which a process has begun.
 */
#ifndef REF_IMPL_MPI_WINDOWS_DIRECT_H
#define REF_IMPL_MPI_WINDOWS_DIRECT_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/mpi/windows/window.h"

struct op_row;

/* Octets of a part of the window that are accessed; they are there. */
struct direct_place {
    const struct window_part *part;
    size_t offset, octets;
};

/* direct_can - whether accesses to that rank are done so. */
static inline bool direct_can(const struct mpi_win *win, int rank)
{
    return win->part[rank].shared != NULL;
}

/* direct_operate - stores what is there in `result`, if that is not NULL, then combines it with the operands, which may
 * stand at any address; NULL: there are none. At most WINDOW_OPERAND_OCTETS.
 * direct_swap - stores what is there in `result`; where that is as `compare`, bit by bit, `operands` take its place. */
void direct_operate(struct direct_place place, const struct op_row *operation, const void *operands, void *result);
void direct_swap(struct direct_place place, const void *compare, const void *operands, void *result);

#endif

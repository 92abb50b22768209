/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accesses where the memory of the target is shared (shared.h): the process that asks does them itself, and nobody at
 * the target has a part in it. All processes of a window do so, or none, and each does one access after the other.
 * What is accumulated is so under the lock of that memory: each element is combined in one step.
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

/* direct_put, direct_get - copies octets there, or from there.
 * direct_operate - stores what is there in `result`, if that is not NULL, then combines it with the operands, which may
 * stand at any address; NULL: there are none. At most WINDOW_OPERAND_OCTETS.
 * direct_swap - stores what is there in `result`; where that is as `compare`, bit by bit, `operands` take its place. */
void direct_put(struct direct_place place, const void *octets);
void direct_get(struct direct_place place, void *octets);
void direct_operate(struct direct_place place, const struct op_row *operation, const void *operands, void *result);
void direct_swap(struct direct_place place, const void *compare, const void *operands, void *result);

#endif

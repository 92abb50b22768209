/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Windows of shared memory as programs make and ask them: MPI_Win_allocate_shared and MPI_Win_shared_query, chapter
 * 11.2.3 of MPI-3. MPI_Win_free gives the memory back (life.c).
 */
#include "ref-impl/mpi/windows/shared.h"

#include <sys/mman.h>

#include "ref-impl/mpi/api/windows/life.h"

API int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct mpi_call call = call_on("MPI_Win_allocate_shared", comm);
    struct shared_parts parts = {NULL, 0, NULL};
    int code;

    call_intra(&call);
    call_output(&call, baseptr, "baseptr");
    call_output(&call, win, "win");
    call_info(&call, info);
    if (size < 0) {
        call_fail(&call, MPI_ERR_SIZE, "size is %td, less than 0", size);
    } else if (disp_unit <= 0) {
        call_fail(&call, MPI_ERR_DISP, "disp_unit is %d, not a positive number", disp_unit);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = shared_parts_make(call.comm, size, &parts);
    if (code != MPI_SUCCESS) {
        return call_end_with(&call, code);
    }
    code = life_create(&call, &(struct window_memory){parts.own, size, disp_unit, MPI_WIN_FLAVOR_SHARED}, info, win);
    if (code != MPI_SUCCESS) {
        (void)munmap(parts.memory, parts.octets);
        return code;
    }
    window_find(*win)->owned = parts.memory;
    window_find(*win)->mapped = parts.octets;
    *(void **)baseptr = parts.own;
    return MPI_SUCCESS;
}

/* The lowest rank that has any memory there, or 0. */
static int first_with_memory(const struct mpi_win *win)
{
    int rank = 0;

    while (rank < win->comm->local->count && win->part[rank].size == 0) {
        rank++;
    }
    return rank < win->comm->local->count ? rank : 0;
}

API int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr)
{
    struct mpi_call call = call_on_window("MPI_Win_shared_query", win);

    if (call.code == MPI_SUCCESS && call.win->flavor != MPI_WIN_FLAVOR_SHARED) {
        call_fail(&call, MPI_ERR_RMA_FLAVOR, "the window was not made by MPI_Win_allocate_shared");
    }
    if (call.code == MPI_SUCCESS && rank != MPI_PROC_NULL && (rank < 0 || rank >= call.comm->local->count)) {
        call_fail(&call, MPI_ERR_RANK, "rank %d is not in 0 .. %d, nor MPI_PROC_NULL", rank,
                  call.comm->local->count - 1);
    }
    call_output(&call, size, "size");
    call_output(&call, disp_unit, "disp_unit");
    call_output(&call, baseptr, "baseptr");
    if (call.code == MPI_SUCCESS) {
        int of = rank == MPI_PROC_NULL ? first_with_memory(call.win) : rank;

        *size = call.win->part[of].size;
        *disp_unit = call.win->part[of].disp_unit;
        *(void **)baseptr = *size > 0 ? shared_part(call.win, of) : NULL;
    }
    return call_end(&call);
}

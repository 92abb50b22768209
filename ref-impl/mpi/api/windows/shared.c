/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Windows that come with their memory, as programs make and ask them: MPI_Win_allocate, MPI_Win_allocate_shared and
 * MPI_Win_shared_query, chapters 11.2.2 and 11.2.3 of MPI-3. MPI_Win_free gives the memory back (life.c).
 */
#include "ref-impl/mpi/windows/shared.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "ref-impl/mpi/api/windows/life.h"

static void check(struct mpi_call *call, MPI_Aint size, int disp_unit, MPI_Info info, const void *baseptr, MPI_Win *win)
{
    call_intra(call);
    call_output(call, baseptr, "baseptr");
    call_output(call, win, "win");
    call_info(call, info);
    if (size < 0) {
        call_fail(call, MPI_ERR_SIZE, "size is %td, less than 0", size);
    } else if (disp_unit <= 0) {
        call_fail(call, MPI_ERR_DISP, "disp_unit is %d, not a positive number", disp_unit);
    }
}

/* Makes the window of the memory, which it then has; what it does not come to have is given back. An error class. */
static int create(struct mpi_call *call, const struct shared_parts *parts, const struct window_memory *memory,
                  MPI_Info info, MPI_Win *win)
{
    int code = life_create(call, memory, info, win);

    if (code == MPI_SUCCESS && parts->memory) {
        shared_parts_give(parts, window_find(*win));
    } else if (code == MPI_SUCCESS) {
        window_find(*win)->owned = memory->base;
    } else if (parts->memory) {
        (void)munmap(parts->memory, parts->octets);
    } else {
        free(memory->base);
    }
    return code;
}

API int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct mpi_call call = call_on("MPI_Win_allocate_shared", comm);
    struct shared_parts parts = {NULL, 0, NULL};
    int code;

    check(&call, size, disp_unit, info, baseptr, win);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = shared_parts_make(call.comm, size, &parts);
    if (code != MPI_SUCCESS) {
        return call_end_with(&call, code);
    }
    code = create(&call, &parts, &(struct window_memory){parts.own, size, disp_unit, MPI_WIN_FLAVOR_SHARED}, info, win);
    if (code == MPI_SUCCESS) {
        *(void **)baseptr = parts.own;
    }
    return code;
}

/* Memory that all processes share where they can, else this process's alone; NULL: there is none. */
static void *allocate(struct mpi_comm *comm, MPI_Aint size, struct shared_parts *parts)
{
    if (comm->native && shared_parts_can(comm) &&
        shared_parts_make(comm, (MPI_Aint)shared_alone((size_t)size), parts) == MPI_SUCCESS) {
        return parts->own;
    }
    return malloc((size_t)size + 1);
}

API int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct mpi_call call = call_on("MPI_Win_allocate", comm);
    struct shared_parts parts = {NULL, 0, NULL};
    void *memory;
    int code;

    check(&call, size, disp_unit, info, baseptr, win);
    memory = call.code == MPI_SUCCESS ? allocate(call.comm, size, &parts) : NULL;
    if (call.code == MPI_SUCCESS && !memory) {
        call_fail(&call, MPI_ERR_NO_MEM, "there is no memory of %td octets", size);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = create(&call, &parts, &(struct window_memory){memory, size, disp_unit, MPI_WIN_FLAVOR_ALLOCATE}, info, win);
    if (code == MPI_SUCCESS) {
        *(void **)baseptr = memory;
    }
    return code;
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
        *(void **)baseptr = *size > 0 ? call.win->part[of].shared : NULL;
    }
    return call_end(&call);
}

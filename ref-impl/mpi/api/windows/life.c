/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Windows as programs make, ask and free them, and memory for them. Chapters 4.11 and 6.2 of MPI-2.
 */
#include "ref-impl/mpi/api/windows/life.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "ref-impl/mpi/api/attr.h"
#include "ref-impl/mpi/common/handle.h"

static void check_memory(struct mpi_call *call, const void *base, MPI_Aint size, int disp_unit)
{
    if (size < 0) {
        call_fail(call, MPI_ERR_SIZE, "size is %td, less than 0", size);
    } else if (disp_unit <= 0) {
        call_fail(call, MPI_ERR_DISP, "disp_unit is %d, not a positive number", disp_unit);
    } else {
        call_octets(call, base, (size_t)size, ADDRESS_WRITE);
    }
    if (call->code == MPI_SUCCESS && !call->comm->native) {
        call_fail(call, MPI_ERR_COMM, "a window is for processes of one client, and comm has those of several");
    }
}

int life_create(struct mpi_call *call, const struct window_memory *memory, MPI_Info info, MPI_Win *win)
{
    struct mpi_win *made = NULL;

    call_intra(call);
    call_output(call, win, "win");
    call_info(call, info);
    check_memory(call, memory->base, memory->size, memory->disp_unit);
    if (call->code == MPI_SUCCESS) {
        call_end_with(call, window_new(call->comm, memory, &made));
    }
    if (call->code != MPI_SUCCESS || !made) {
        return call->code == MPI_SUCCESS ? MPI_ERR_INTERN : call_end(call);
    }
    made->handle = hints_make(made, info) == MPI_SUCCESS ? handle_new(HANDLE_WIN, made) : NULL;
    if (!made->handle) {
        if (made->hints) {
            (void)MPI_Info_free(&made->hints);
        }
        (void)window_free(made);
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        return call_end(call);
    }
    *win = made->handle;
    return MPI_SUCCESS;
}

API int MPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct mpi_call call = call_on("MPI_Win_create", comm);

    return life_create(&call, &(struct window_memory){base, size, disp_unit, MPI_WIN_FLAVOR_CREATE}, info, win);
}

API int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct mpi_call call = call_on("MPI_Win_create_dynamic", comm);

    return life_create(&call, &(struct window_memory){MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC}, info, win);
}

static void check_dynamic(struct mpi_call *call)
{
    if (call->code == MPI_SUCCESS && call->win->flavor != MPI_WIN_FLAVOR_DYNAMIC) {
        call_fail(call, MPI_ERR_RMA_FLAVOR, "the window was not made by MPI_Win_create_dynamic");
    }
}

API int MPI_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    struct mpi_call call = call_on_window("MPI_Win_attach", win);

    check_dynamic(&call);
    if (call.code == MPI_SUCCESS && size < 0) {
        call_fail(&call, MPI_ERR_SIZE, "size is %td, less than 0", size);
    } else if (call.code == MPI_SUCCESS) {
        call_octets(&call, base, (size_t)size, ADDRESS_WRITE);
    }
    if (call.code == MPI_SUCCESS && !window_attach(call.win, base, size)) {
        call_fail(&call, MPI_ERR_RMA_ATTACH, "memory is used up");
    }
    return call_end(&call);
}

API int MPI_Win_detach(MPI_Win win, const void *base)
{
    struct mpi_call call = call_on_window("MPI_Win_detach", win);

    check_dynamic(&call);
    if (call.code == MPI_SUCCESS && !window_detach(call.win, base)) {
        call_fail(&call, MPI_ERR_RMA_ATTACH, "no memory that begins at %p is attached", base);
    }
    return call_end(&call);
}

API int MPI_Win_free(MPI_Win *win)
{
    struct mpi_call call = call_on_window("MPI_Win_free", win ? *win : MPI_WIN_NULL);

    if (call.code == MPI_SUCCESS && (call.win->started || call.win->posted || window_is_locked(call.win))) {
        call_fail(&call, MPI_ERR_RMA_SYNC, "the window is between start and complete, post and wait, or locked");
    }
    if (call.code == MPI_SUCCESS && win) {
        MPI_Win handle = *win;
        void *owned = call.win->owned;
        MPI_Info hints = call.win->hints;
        size_t mapped = call.win->mapped;
        struct attr_owner attributes = attributes_of_win(call.win);
        int code = attr_delete_all(&attributes);

        if (code != MPI_SUCCESS) {
            call_fail(&call, code, "a delete function of an attribute failed");
            return call_end(&call);
        }
        code = window_free(call.win);
        if (code != MPI_SUCCESS) {
            return call_end_with(&call, code);
        }
        if (mapped > 0) {
            (void)munmap(owned, mapped);
        } else {
            free(owned);
        }
        (void)MPI_Info_free(&hints);
        handle_free(HANDLE_WIN, handle);
        *win = MPI_WIN_NULL;
    }
    return call.code == MPI_SUCCESS ? MPI_SUCCESS : call_end(&call);
}

API int MPI_Win_get_group(MPI_Win win, MPI_Group *group)
{
    struct mpi_call call = call_on_window("MPI_Win_get_group", win);
    MPI_Group name;

    call_output(&call, group, "group");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    group_hold(call.comm->local);
    name = group_name(call.comm->local);
    if (name == MPI_GROUP_NULL) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
    } else {
        *group = name;
    }
    return call_end(&call);
}

API int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr)
{
    struct mpi_call call = call_without("MPI_Alloc_mem");
    void *memory;

    call_output(&call, baseptr, "baseptr");
    call_info(&call, info);
    if (size < 0) {
        call_fail(&call, MPI_ERR_SIZE, "size is %td, less than 0", size);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    //= PUMA-110
    memory = malloc(size > 0 ? (size_t)size : 1);
    if (!memory) {
        call_fail(&call, MPI_ERR_NO_MEM, "there are no %td octets", size);
        return call_end(&call);
    }
    *(void **)baseptr = memory;
    return MPI_SUCCESS;
}

API int MPI_Free_mem(void *base)
{
    struct mpi_call call = call_without("MPI_Free_mem");

    if (call.code == MPI_SUCCESS) {
        free(base);
    }
    return call_end(&call);
}

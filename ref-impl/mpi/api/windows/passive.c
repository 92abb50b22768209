/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Locks of all parts of a window, and accesses that are completed while a lock is held. Chapters 11.5.3 and 11.5.4 of
 * MPI-3.
 */
#include <stdatomic.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/windows/sync.h"
#include "ref-impl/mpi/windows/window.h"

/* One after the other, in the same order at every process, so that none of two waits for the other. */
API int MPI_Win_lock_all(int assert, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_lock_all", win);
    int code = MPI_SUCCESS, locked = 0;

    if (call.code == MPI_SUCCESS && window_is_locked(call.win)) {
        call_fail(&call, MPI_ERR_RMA_SYNC, "this process has locked a rank already");
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    while (locked < call.comm->local->count && code == MPI_SUCCESS) {
        code = MPI_Win_lock(MPI_LOCK_SHARED, locked, assert, win);
        locked += code == MPI_SUCCESS;
    }
    while (code != MPI_SUCCESS && locked > 0) {
        (void)MPI_Win_unlock(--locked, win);
    }
    return code;
}

API int MPI_Win_unlock_all(MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_unlock_all", win);
    int code = MPI_SUCCESS;

    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    for (int rank = 0; rank < call.comm->local->count; rank++) {
        int one = MPI_Win_unlock(rank, win);

        code = code == MPI_SUCCESS ? one : code;
    }
    return code;
}

typedef int flush_way(struct mpi_win *win, int rank);

/* Completes the accesses to a rank, which must be locked. */
static int flush(struct mpi_call *call, int rank, flush_way *way)
{
    if (call->code == MPI_SUCCESS && (rank < 0 || rank >= call->comm->local->count)) {
        call_fail(call, MPI_ERR_RANK, "rank %d is not in 0 .. %d", rank, call->comm->local->count - 1);
    }
    if (call->code == MPI_SUCCESS && !call->win->part[rank].locked) {
        call_fail(call, MPI_ERR_RMA_SYNC, "this process has not locked rank %d", rank);
    }
    return call->code == MPI_SUCCESS ? call_end_with(call, way(call->win, rank)) : call_end(call);
}

API int MPI_Win_flush(int rank, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_flush", win);

    return flush(&call, rank, sync_flush);
}

API int MPI_Win_flush_local(int rank, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_flush_local", win);

    return flush(&call, rank, sync_flush_local);
}

/* Completes those to all ranks that are locked, of which there must be one. */
static int flush_all(struct mpi_call *call, flush_way *way)
{
    if (call->code == MPI_SUCCESS && !window_is_locked(call->win)) {
        call_fail(call, MPI_ERR_RMA_SYNC, "this process has not locked any rank");
    }
    int code = MPI_SUCCESS;

    for (int rank = 0; call->code == MPI_SUCCESS && rank < call->comm->local->count; rank++) {
        int one = call->win->part[rank].locked ? way(call->win, rank) : MPI_SUCCESS;

        code = code == MPI_SUCCESS ? one : code;
    }
    return call->code == MPI_SUCCESS ? call_end_with(call, code) : call_end(call);
}

API int MPI_Win_flush_all(MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_flush_all", win);

    return flush_all(&call, sync_flush);
}

API int MPI_Win_flush_local_all(MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_flush_local_all", win);

    return flush_all(&call, sync_flush_local);
}

/* There is one copy of the memory; the compiler and the processor must not hold anything back. */
API int MPI_Win_sync(MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_sync", win);

    atomic_thread_fence(memory_order_seq_cst);
    return call_end(&call);
}

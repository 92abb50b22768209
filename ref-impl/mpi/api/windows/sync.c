/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Synchronisation of windows as programs call it. Chapter 6.4 of MPI-2. Assertions are checked and not needed: what a
 * program promises by them holds here without.
 */
#include "ref-impl/mpi/windows/sync.h"
#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/windows/window.h"

static void check_assert(struct mpi_call *call, int asserted, int allowed)
{
    if (asserted & ~allowed) {
        call_fail(call, MPI_ERR_ASSERT, "assert is %d, which has what does not belong to the call", asserted);
    }
}

/* The group must be part of that of the window. */
static struct mpi_group *check_group(struct mpi_call *call, MPI_Group handle)
{
    struct mpi_group *group = call_group(call, handle);

    for (int member = 0; call->code == MPI_SUCCESS && member < group->count; member++) {
        if (group_rank_of(call->comm->local, group->world[member]) == MPI_UNDEFINED) {
            call_fail(call, MPI_ERR_GROUP, "the group has members that the window has not");
        }
    }
    return group;
}

static void check_turn(struct mpi_call *call, bool good, const char *what)
{
    if (call->code == MPI_SUCCESS && !good) {
        call_fail(call, MPI_ERR_RMA_SYNC, "%s", what);
    }
}

/* Whether this process may begin to access by MPI_Win_start: of the epochs in which it does no two may overlap. A fence
 * opens one only when something follows that accesses. */
static void check_free(struct mpi_call *call)
{
    check_turn(call, !call->win->started, "the window is between start and complete already");
    check_turn(call, !call->win->fence_used,
               "the window has been accessed since the last fence, and needs another one");
    check_turn(call, !window_is_locked(call->win), "this process has locked a part of the window");
}

API int MPI_Win_fence(int assert, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_fence", win);

    check_assert(&call, assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);
    if (call.code == MPI_SUCCESS) {
        check_turn(&call, !call.win->started && !call.win->posted, "the window is between start or post and its end");
        check_turn(&call, !window_is_locked(call.win), "this process has locked a part of the window");
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_fence(call.win, !(assert &MPI_MODE_NOSUCCEED)))
                                    : call_end(&call);
}

API int MPI_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_start", win);
    struct mpi_group *members = check_group(&call, group);

    check_assert(&call, assert, MPI_MODE_NOCHECK);
    if (call.code == MPI_SUCCESS) {
        check_free(&call);
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_start(call.win, members)) : call_end(&call);
}

API int MPI_Win_complete(MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_complete", win);

    if (call.code == MPI_SUCCESS) {
        check_turn(&call, call.win->started, "MPI_Win_start has not been called");
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_complete(call.win)) : call_end(&call);
}

API int MPI_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_post", win);
    struct mpi_group *members = check_group(&call, group);

    check_assert(&call, assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
    if (call.code == MPI_SUCCESS) {
        check_turn(&call, !call.win->posted, "the window is between post and wait already");
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_post(call.win, members)) : call_end(&call);
}

API int MPI_Win_wait(MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_wait", win);
    bool done;

    if (call.code == MPI_SUCCESS) {
        check_turn(&call, call.win->posted, "MPI_Win_post has not been called");
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_wait(call.win, true, &done)) : call_end(&call);
}

API int MPI_Win_test(MPI_Win win, int *flag)
{
    struct mpi_call call = call_on_window("MPI_Win_test", win);
    bool done = false;
    int code;

    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        check_turn(&call, call.win->posted, "MPI_Win_post has not been called");
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = sync_wait(call.win, false, &done);
    *flag = done;
    return call_end_with(&call, code);
}

static void check_rank(struct mpi_call *call, int rank)
{
    int count = call->code == MPI_SUCCESS ? call->comm->local->count : 0;

    if (call->code == MPI_SUCCESS && (rank < 0 || rank >= count)) {
        call_fail(call, MPI_ERR_RANK, "rank %d is not in 0 .. %d", rank, count - 1);
    }
}

API int MPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_lock", win);

    check_rank(&call, rank);
    check_assert(&call, assert, MPI_MODE_NOCHECK);
    if (lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE) {
        call_fail(&call, MPI_ERR_LOCKTYPE, "lock_type is %d", lock_type);
    }
    if (call.code == MPI_SUCCESS) {
        check_turn(&call, !call.win->part[rank].locked, "this process has locked that rank already");
        check_turn(&call, !call.win->started, "the window is between start and complete");
        check_turn(&call, !call.win->fence_used,
                   "the window has been accessed since the last fence, and needs another one");
        check_turn(&call, !call.win->posted || rank != call.comm->rank,
                   "this process has posted its part, and not waited");
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_lock(call.win, rank, lock_type == MPI_LOCK_EXCLUSIVE))
                                    : call_end(&call);
}

API int MPI_Win_unlock(int rank, MPI_Win win)
{
    struct mpi_call call = call_on_window("MPI_Win_unlock", win);

    check_rank(&call, rank);
    if (call.code == MPI_SUCCESS) {
        check_turn(&call, call.win->part[rank].locked, "this process has not locked that rank");
    }
    return call.code == MPI_SUCCESS ? call_end_with(&call, sync_unlock(call.win, rank)) : call_end(&call);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who may access a window when: see windows/sync.h. A fence is a barrier behind all that is under way. Post and
 * complete are empty messages in the window's own communicator; a lock is the business of the thread at the target.
 */
#include "ref-impl/mpi/windows/sync.h"

#include <stdlib.h>

#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/messages/p2p.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/mpi/windows/piece.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/window.h"

enum { TAG_POSTED = 300, TAG_COMPLETED = 301 };

/* How a synchronisation ends of which so much is good: an access before it may have been refused. */
static int settled(struct mpi_win *win, int code)
{
    bool refused = win->failed;

    win->failed = false;
    return refused && code == MPI_SUCCESS ? MPI_ERR_RMA_RANGE : code;
}

int sync_fence(struct mpi_win *win, bool more)
{
    piece_await(win, -1);
    win->fenced = more;
    win->fence_used = false;
    return settled(win, coll_barrier(win->comm));
}

/* An empty message between this process and a member of a group. */
static struct p2p_message message_with(struct mpi_win *win, const struct mpi_group *group, int member, int tag)
{
    return (struct p2p_message){
        .comm = win->comm,
        .collective = true,
        .peer = group_rank_of(win->comm->local, group->world[member]),
        .tag = tag,
        .type = type_find(MPI_BYTE),
    };
}

int sync_start(struct mpi_win *win, struct mpi_group *group)
{
    int code = MPI_SUCCESS;

    for (int member = 0; member < group->count && code == MPI_SUCCESS; member++) {
        struct p2p_message posted = message_with(win, group, member, TAG_POSTED);

        code = p2p_receive(&posted, NULL);
        win->part[posted.peer].may_access = true;
    }
    win->accessed = group;
    group_hold(group);
    win->started = true;
    win->fenced = false;
    return code;
}

int sync_complete(struct mpi_win *win)
{
    struct mpi_group *group = win->accessed;
    int code = MPI_SUCCESS;

    for (int member = 0; member < group->count && code == MPI_SUCCESS; member++) {
        struct p2p_message completed = message_with(win, group, member, TAG_COMPLETED);

        piece_await(win, completed.peer);
        win->part[completed.peer].may_access = false;
        code = p2p_send(&completed, P2P_STANDARD);
    }
    group_release(group);
    win->accessed = NULL;
    win->started = false;
    return settled(win, code);
}

int sync_post(struct mpi_win *win, const struct mpi_group *group)
{
    int code = MPI_SUCCESS;

    win->exposed = calloc((size_t)group->count * 2 + 1, sizeof(struct request *));
    win->exposed_count = 0;
    if (!win->exposed) {
        return MPI_ERR_OTHER;
    }
    win->posted = true;
    for (int member = 0; member < group->count && code == MPI_SUCCESS; member++) {
        struct p2p_message posted = message_with(win, group, member, TAG_POSTED);
        struct p2p_message completed = message_with(win, group, member, TAG_COMPLETED);

        code = p2p_start_receive(&completed, &win->exposed[win->exposed_count]);
        win->exposed_count += code == MPI_SUCCESS;
        if (code == MPI_SUCCESS) {
            code = p2p_start_send(&posted, P2P_STANDARD, &win->exposed[win->exposed_count]);
            win->exposed_count += code == MPI_SUCCESS;
        }
    }
    return code;
}

int sync_wait(struct mpi_win *win, bool wait, bool *done)
{
    int code = MPI_SUCCESS;

    *done = win->exposed_count == 0 || p2p_await(win->exposed, win->exposed_count, true, wait);
    if (!*done) {
        return MPI_SUCCESS;
    }
    for (int i = 0; i < win->exposed_count; i++) {
        int one = p2p_wait(win->exposed[i], NULL);

        code = code == MPI_SUCCESS ? one : code;
    }
    free(win->exposed);
    win->exposed = NULL;
    win->posted = false;
    return code;
}

/* Asks for something without operands, and waits for the answer. */
static int ask(struct mpi_win *win, int rank, enum window_wish wish)
{
    struct window_ask *asked = calloc(1, sizeof(*asked));

    if (!asked) {
        return MPI_ERR_OTHER;
    }
    asked->wish = wish;
    if (!piece_ask(NULL, win, rank, asked, NULL)) {
        return MPI_ERR_OTHER;
    }
    piece_await(win, rank);
    return MPI_SUCCESS;
}

int sync_flush(struct mpi_win *win, int rank)
{
    piece_await(win, rank);
    return settled(win, MPI_SUCCESS);
}

int sync_flush_local(struct mpi_win *win, int rank)
{
    piece_await_lent(win, rank);
    return settled(win, MPI_SUCCESS);
}

int sync_lock(struct mpi_win *win, int rank, bool exclusive)
{
    int code = ask(win, rank, exclusive ? WINDOW_LOCK_EXCLUSIVE : WINDOW_LOCK_SHARED);

    win->part[rank].locked = win->part[rank].may_access = code == MPI_SUCCESS;
    win->fenced = false;
    return code;
}

int sync_unlock(struct mpi_win *win, int rank)
{
    piece_await(win, rank);
    win->part[rank].locked = win->part[rank].may_access = false;
    return settled(win, ask(win, rank, WINDOW_UNLOCK));
}

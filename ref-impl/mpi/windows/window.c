/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of windows: see windows/window.h. Each has a communicator of its own, so that what synchronises it meets no
 * other message, and an entry in each of the two portals. Chapter 4.1 of the paper on MPI for Puma, 6.2.1 of MPI-2.
 */
#include "ref-impl/mpi/windows/window.h"

#include <stdlib.h>

#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/contexts/context.h"
#include "ref-impl/mpi/local/bits.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/windows/state.h"

/* What each process says of its part. */
struct part_told {
    MPI_Aint size;
    MPI_Aint disp_unit;
};

static int tell_parts(struct mpi_win *win)
{
    int count = win->comm->local->count;
    struct part_told own = {win->size, win->disp_unit}, *all = calloc((size_t)count, sizeof(*all));
    struct mpi_type *octet = type_find(MPI_BYTE);
    int code = MPI_ERR_OTHER;

    if (all) {
        code = coll_allgather(win->comm, &(struct coll_data){&own, (int)sizeof(own), octet},
                              &(struct coll_blocks){.buffer = all, .count = (int)sizeof(own), .type = octet});
    }
    for (int rank = 0; code == MPI_SUCCESS && rank < count; rank++) {
        win->part[rank] = (struct window_part){.size = all[rank].size, .disp_unit = (int)all[rank].disp_unit};
    }
    free(all);
    return code;
}

/* An entry in front of the end of a list: the whole window, the sender says where in it. */
static void expose(struct mpi_win *win, ptl_handle_me_t end, unsigned int operation, ptl_handle_me_t *entry)
{
    ptl_md_t memory = {
        .start = win->size > 0 ? win->base : NULL,
        .length = (ptl_size_t)win->size,
        .threshold = PTL_MD_THRESH_INF,
        .options = operation | PTL_MD_MANAGE_REMOTE,
        .eventq = PTL_EQ_NONE,
    };

    local_must(PtlMEInsert(local_process(LOCAL_EACH), window_bits(win->comm->context.slot), 0, PTL_UNLINK,
                           PTL_INS_BEFORE, end, entry));
    local_must(PtlMDAttach(*entry, memory, PTL_RETAIN, NULL));
}

/* A window whose memory nobody can reach yet. NULL: memory is used up. */
static struct mpi_win *make(struct mpi_comm *comm, const struct window_memory *memory)
{
    struct mpi_win *win = calloc(1, sizeof(*win));

    if (win) {
        win->part = calloc((size_t)comm->local->count, sizeof(*win->part));
    }
    if (!win || !win->part) {
        free(win);
        return NULL;
    }
    win->comm = comm;
    win->base = memory->base;
    win->size = memory->size;
    win->disp_unit = memory->disp_unit;
    win->flavor = memory->flavor;
    win->model = MPI_WIN_UNIFIED;
    win->errhandler = errors_find(MPI_ERRORS_ARE_FATAL);
    errors_hold(win->errhandler);
    TAILQ_INIT(&win->lock.holding);
    TAILQ_INIT(&win->lock.waiting);
    return win;
}

static void drop(struct mpi_win *win)
{
    struct window_waiter *waiter;
    struct window_region *region;

    while ((region = LIST_FIRST(&win->regions))) {
        LIST_REMOVE(region, link);
        free(region);
    }
    while ((waiter = TAILQ_FIRST(&win->lock.holding))) {
        TAILQ_REMOVE(&win->lock.holding, waiter, link);
        free(waiter);
    }
    attribute_drop(&win->attributes);
    errors_release(win->errhandler);
    comm_release(win->comm);
    free(win->part);
    free(win);
}

int window_new(struct mpi_comm *comm, const struct window_memory *memory, struct mpi_win **win)
{
    struct comm_context context;
    struct mpi_comm *own;
    int code = comm_context_agree(comm, &context);

    if (code != MPI_SUCCESS) {
        return code;
    }
    own = comm_new(context, comm->local, NULL, comm);
    *win = own && windows_device_open() ? make(own, memory) : NULL;
    if (!*win) {
        comm_release(own);
        return MPI_ERR_OTHER;
    }
    code = tell_parts(*win);
    if (code == MPI_SUCCESS) {
        pthread_mutex_lock(&windows_device.lock);
        LIST_INSERT_HEAD(&windows_device.windows, *win, link);
        pthread_mutex_unlock(&windows_device.lock);
        //= PUMA-112
        //= PUMA-113
        //= PUMA-115
        expose(*win, windows_device.put_end, PTL_MD_OP_PUT, &(*win)->put_entry);
        //= PUMA-114
        expose(*win, windows_device.get_end, PTL_MD_OP_GET, &(*win)->get_entry);
        code = coll_barrier(own);
    }
    if (code != MPI_SUCCESS) {
        drop(*win);
    }
    return code;
}

static void take_down(struct mpi_win *win)
{
    local_must(PtlMEUnlink(win->put_entry));
    local_must(PtlMEUnlink(win->get_entry));
    pthread_mutex_lock(&windows_device.lock);
    LIST_REMOVE(win, link);
    pthread_mutex_unlock(&windows_device.lock);
    drop(win);
}

int window_free(struct mpi_win *win)
{
    int code = coll_barrier(win->comm); /* nobody accesses it any more */

    if (code == MPI_SUCCESS) {
        take_down(win);
    }
    return code;
}

struct mpi_win *window_of_slot(uint32_t slot)
{
    struct mpi_win *win;

    LIST_FOREACH(win, &windows_device.windows, link)
    {
        if (win->comm->context.slot == slot) {
            return win;
        }
    }
    return NULL;
}

int window_rid(const struct mpi_win *win, int rank)
{
    return local_rid(win->comm->local->world[rank]);
}

void windows_close(void)
{
    struct mpi_win *win;
    size_t place = 0;

    while ((win = handle_next(HANDLE_WIN, &place))) {
        take_down(win);
    }
    handle_close(HANDLE_WIN);
    windows_device_close();
}

bool window_attach(struct mpi_win *win, void *base, MPI_Aint size)
{
    struct window_region *region = malloc(sizeof(*region));

    if (!region) {
        return false;
    }
    *region = (struct window_region){.base = base, .octets = (uint64_t)size};
    pthread_mutex_lock(&windows_device.lock);
    LIST_INSERT_HEAD(&win->regions, region, link);
    pthread_mutex_unlock(&windows_device.lock);
    return true;
}

bool window_detach(struct mpi_win *win, const void *base)
{
    struct window_region *region;

    pthread_mutex_lock(&windows_device.lock);
    LIST_FOREACH(region, &win->regions, link)
    {
        if (region->base == base) {
            LIST_REMOVE(region, link);
            break;
        }
    }
    pthread_mutex_unlock(&windows_device.lock);
    free(region);
    return region != NULL;
}

bool window_is_locked(const struct mpi_win *win)
{
    for (int rank = 0; rank < win->comm->local->count; rank++) {
        if (win->part[rank].locked) {
            return true;
        }
    }
    return false;
}

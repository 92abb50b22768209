/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Windows: memory of each process of a communicator that the others may access. Chapter 6.2 of MPI-2.
 */
#ifndef REF_IMPL_MPI_WINDOWS_WINDOW_H
#define REF_IMPL_MPI_WINDOWS_WINDOW_H

#include <portals.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/common/attribute.h"
#include "ref-impl/mpi/common/handle.h"

struct mpi_comm;
struct mpi_errhandler;
struct mpi_group;
struct request;

/* A process that waits for the lock of a window, or has it. */
struct window_waiter {
    int rid;
    unsigned slot; /* of its question, to be answered when it has the lock */
    bool exclusive;
    TAILQ_ENTRY(window_waiter) link;
};

TAILQ_HEAD(window_waiters, window_waiter);

/* The lock of a process's part of a window, which the thread of that process gives and takes back. */
struct window_lock {
    struct window_waiters holding, waiting; /* either one that is exclusive holds it, or some that share it */
};

/* Memory of this process that is attached to a dynamic window. */
struct window_region {
    LIST_ENTRY(window_region) link;
    void *base;
    uint64_t octets;
};

/* What a process gives to a window that is made. */
struct window_memory {
    void *base;
    MPI_Aint size;
    int disp_unit;
    int flavor; /* MPI_WIN_CREATE_FLAVOR */
};

/* What this process knows of the part of each. */
struct window_part {
    MPI_Aint size;          /* octets */
    int disp_unit;          /* octets */
    unsigned pending;       /* accesses to it that are under way */
    unsigned lent;          /* those of them whose octets are the program's until they are done */
    bool may_access;        /* between start and complete, or lock and unlock */
    bool locked;            /* by this process */
    unsigned char *shared;  /* where it begins in this process, where its memory is shared (shared.h); else NULL */
    _Atomic uint32_t *lock; /* of that memory, for direct.h; or NULL */
};

struct mpi_win {
    LIST_ENTRY(mpi_win) link;
    MPI_Win handle;
    struct mpi_comm *comm; /* its own: held */
    struct mpi_errhandler *errhandler;
    char name[MPI_MAX_OBJECT_NAME]; /* MPI_Win_set_name; empty at first */
    MPI_Info hints;                 /* MPI_Win_get_info */
    void *base;
    void *owned;   /* memory that was made with the window, and goes with it; or NULL */
    size_t mapped; /* octets of it, where it is shared (shared.h); else 0 */
    MPI_Aint size;
    int disp_unit;
    int flavor, model; /* MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL */
    struct attr_list attributes;
    struct window_part *part;   /* by rank */
    bool fenced;                /* an epoch between two fences may begin: each part may be accessed */
    bool fence_used;            /* ... and has been, so that it is an epoch and must be ended by a fence */
    bool failed;                /* an access since the last synchronisation was refused by its target */
    bool started, posted;       /* an epoch of the other kind is open */
    struct mpi_group *accessed; /* held between start and complete */
    struct request **exposed;   /* between post and wait: what each accessing process will say when it is done */
    int exposed_count;
    ptl_handle_me_t put_entry, get_entry;
    struct window_lock lock;
    LIST_HEAD(, window_region) regions; /* of a dynamic window; windows_device's lock guards them */
};

/* window_new - makes the window of all processes of an intracommunicator that are of one client; blocks until all of
 * them have called it and can be reached. An error class; `*win` is the caller's, who names it.
 * window_free - the end of one, which blocks until all have called it. An error class. */
int window_new(struct mpi_comm *comm, const struct window_memory *memory, struct mpi_win **win);
int window_free(struct mpi_win *win);

/* window_attach - lets others access memory by a dynamic window, in which addresses are displacements. False: memory is
 * used up.
 * window_detach - ends that for the memory which begins there; false: there is none. */
bool window_attach(struct mpi_win *win, void *base, MPI_Aint size);
bool window_detach(struct mpi_win *win, const void *base);

/* window_is_locked - whether this process has the lock of any part. */
bool window_is_locked(const struct mpi_win *win);

/* window_find - the window of a handle, or NULL. */
static inline struct mpi_win *window_find(MPI_Win handle)
{
    return handle_find(HANDLE_WIN, handle);
}

/* window_of_slot - the window of a context, or NULL; windows_device's lock held. */
struct mpi_win *window_of_slot(uint32_t slot);

/* window_rid - the rank in the client of a rank in the window. */
int window_rid(const struct mpi_win *win, int rank);

/* windows_close - ends one-sided communication in MPI_Finalize, with all windows that are left. */
void windows_close(void);

#endif

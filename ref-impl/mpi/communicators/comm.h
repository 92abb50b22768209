/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators: a group, or two, and a pair of context ids that keep its messages apart from all others. Chapter 5 of
 * MPI; 3.3 and 4.2 to 4.9 of IMPI.
 *
 * The members of a communicator stay as they are from comm_new until the last holder releases it, so any thread may
 * read them; all else is for the thread that calls MPI. A program's handle is one hold, each request under way another.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_COMM_H
#define REF_IMPL_MPI_COMMUNICATORS_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/communicators/attr_set.h"
#include "ref-impl/mpi/communicators/group.h"

struct comm_operation;
struct comm_shared;
struct mpi_errhandler;
struct topology;

/* Context ids. A pair is new when it is above all that its processes have ever used [IMPI 4.2 to 4.9]. */
#define COMM_CID_MAX   UINT64_C(18446744073709551600) //= IMPI-240
#define COMM_CID_SELF  (UINT64_MAX - 1)               /* of MPI_COMM_SELF, whose messages leave no process */
#define COMM_SLOT_SELF ((uint32_t)1 << 17)
#define COMM_CID_LATER (UINT64_C(1) << 63) /* and a slot: of communicators within a client that get theirs later */

/* The pair of contexts of a communicator; of each the first is for point-to-point messages, the next one for collective
 * operations. */
struct comm_context {
    uint64_t cid;  /* in all packets */
    uint32_t slot; /* in match bits of the local device (contexts/slot.h) */
};

/* Who is where: processes of one client are local to each other, the lowest rank of a client in the communicator is its
 * master, masters are numbered in the order of their ranks [IMPI 4.2]. Of an intercommunicator: in the local group. */
struct comm_masters {
    int count;
    int own;     /* number of this process's master */
    int *rank;   /* [count] rank of each master */
    int *number; /* [size of the local group] number of the master of each rank */
};

/* The memory that the processes share for short collective operations (collectives/slots.h). */
struct comm_slots {
    struct comm_shared *shared; /* NULL: there is none */
    size_t octets;
    bool refused;       /* there will be none */
    uint32_t calls;     /* operations before it was shared */
    uint32_t operation; /* the one under way, or the last one */
    uint32_t through;   /* all processes are through with this one, as far as is known */
};

struct mpi_comm {
    LIST_ENTRY(mpi_comm) link;
    unsigned holders;
    MPI_Comm handle;
    struct comm_context context;
    struct mpi_group *local;
    struct mpi_group *remote; /* NULL: an intracommunicator */
    int rank;                 /* of this process in the local group */
    bool native;              /* all members, of both groups, are in this process's client */
    struct comm_masters masters;
    struct comm_slots slots;
    struct attr_set attributes;
    struct topology *topology; /* NULL: none */
    struct mpi_errhandler *errhandler;
    TAILQ_HEAD(, comm_operation) operations; /* nonblocking ones that are not done, in the order of their calls */
    char name[MPI_MAX_OBJECT_NAME];          /* MPI_Comm_set_name; empty at first */
};

/* comm_open - makes MPI_COMM_WORLD and MPI_COMM_SELF from the world (world.h); false when memory is used up.
 * comm_close takes all communicators away, without calling anybody. */
bool comm_open(void);
void comm_close(void);

/* comm_find - the communicator of a handle, or NULL. */
struct mpi_comm *comm_find(MPI_Comm handle);

/* comm_world, comm_self - the predefined ones. NULL outside MPI_Init and MPI_Finalize. */
struct mpi_comm *comm_world(void);
struct mpi_comm *comm_self(void);

/* comm_new - a communicator with these groups, which it holds (`remote` may be NULL), and this pair of contexts;
 * attributes as all have, the error handler of `parent`. The caller is its one holder. NULL: memory is used up. It
 * has the contexts of MPI_COMM_SELF until it gets its own later. */
struct mpi_comm *comm_new(struct comm_context context, struct mpi_group *local, struct mpi_group *remote,
                          const struct mpi_comm *parent);

/* comm_has_slot - whether a communicator that is not gone yet, or is still being freed, has this slot. */
bool comm_has_slot(uint32_t slot);

/* comm_name - a handle for a communicator that the caller holds; the hold becomes the handle's. MPI_COMM_NULL: memory
 * is used up; the hold is released. */
MPI_Comm comm_name(struct mpi_comm *comm);

/* comm_hold, comm_release - one holder more, one less; the last one to release frees it. */
void comm_hold(struct mpi_comm *comm);
void comm_release(struct mpi_comm *comm);

/* comm_peers - the group that ranks of destinations and sources mean: the remote one if there is one. */
static inline const struct mpi_group *comm_peers(const struct mpi_comm *comm)
{
    return comm->remote ? comm->remote : comm->local;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of communicators, and who is where in one. Chapters 5.2 and 5.4 of MPI, 4.2 of IMPI; contexts/context.c
 * gives them their context ids, api/comm_make.c and api/comm_inter.c make new ones.
 */
#include "ref-impl/mpi/communicators/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/errors.h"
#include "ref-impl/mpi/communicators/topology.h"

static struct mpi_comm *world_comm, *self_comm;
static LIST_HEAD(, mpi_comm) all; /* also those whose handle is freed */

/* Finds the masters of a group: the member of lowest rank of each client, also of clients with several hosts. */
static bool find_masters(struct comm_masters *masters, const struct mpi_group *group)
{
    const struct world *world = world_now();
    int *of_client = malloc((size_t)world->clients * sizeof(int));

    masters->rank = malloc(((size_t)group->count + 1) * sizeof(int));
    masters->number = malloc(((size_t)group->count + 1) * sizeof(int));
    if (!of_client || !masters->rank || !masters->number) {
        free(of_client);
        return false;
    }
    for (int client = 0; client < world->clients; client++) {
        of_client[client] = -1;
    }
    for (int rank = 0; rank < group->count; rank++) {
        int client = world->process[group->world[rank]].client;

        if (of_client[client] < 0) {
            //= IMPI-183
            //= IMPI-184
            of_client[client] = masters->count;
            masters->rank[masters->count++] = rank;
        }
        masters->number[rank] = of_client[client];
    }
    masters->own = group->rank == MPI_UNDEFINED ? -1 : masters->number[group->rank];
    free(of_client);
    return true;
}

static bool group_is_native(const struct mpi_group *group)
{
    for (int rank = 0; group && rank < group->count; rank++) {
        if (!world_is_native(group->world[rank])) {
            return false;
        }
    }
    return true;
}

struct mpi_comm *comm_new(struct comm_context context, struct mpi_group *local, struct mpi_group *remote,
                          const struct mpi_comm *parent)
{
    struct mpi_comm *comm = calloc(1, sizeof(*comm));

    if (!comm) {
        return NULL;
    }
    comm->holders = 1;
    comm->handle = MPI_COMM_NULL;
    comm->context = context;
    TAILQ_INIT(&comm->operations);
    LIST_INSERT_HEAD(&all, comm, link);
    group_hold(comm->local = local);
    if (remote) {
        group_hold(comm->remote = remote);
    }
    comm->rank = local->rank;
    comm->native = group_is_native(local) && group_is_native(remote);
    comm->errhandler = parent ? parent->errhandler : errors_find(MPI_ERRORS_ARE_FATAL);
    errors_hold(comm->errhandler);
    if (!find_masters(&comm->masters, local) || !attr_set_up(&comm->attributes, local)) {
        comm_release(comm);
        return NULL;
    }
    return comm;
}

/* Makes one of the predefined communicators. */
static struct mpi_comm *new_predefined(struct comm_context context, const int *ranks, int count, MPI_Comm handle)
{
    struct mpi_group *group = group_new(ranks, count);
    struct mpi_comm *comm = group ? comm_new(context, group, NULL, NULL) : NULL;

    group_release(group);
    if (comm && !handle_set(HANDLE_COMM, handle, comm)) {
        comm_release(comm);
        return NULL;
    }
    if (comm) {
        comm->handle = handle;
        (void)snprintf(comm->name, sizeof(comm->name), "%s",
                       handle == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
    }
    return comm;
}

bool comm_open(void)
{
    const struct world *world = world_now();
    int *ranks = malloc((size_t)world->size * sizeof(*ranks));

    for (int rank = 0; ranks && rank < world->size; rank++) {
        ranks[rank] = rank;
    }
    if (ranks) {
        world_comm = new_predefined((struct comm_context){0, 0}, ranks, world->size, MPI_COMM_WORLD); //= IMPI-103
        self_comm =
            new_predefined((struct comm_context){COMM_CID_SELF, COMM_SLOT_SELF}, &world->rank, 1, MPI_COMM_SELF);
    }
    free(ranks);
    if (!world_comm || !self_comm) {
        comm_close();
        return false;
    }
    return true;
}

void comm_close(void)
{
    struct mpi_comm *comm;
    size_t place = 0;

    world_comm = self_comm = NULL;
    while ((comm = handle_next(HANDLE_COMM, &place))) {
        comm_release(comm);
    }
    handle_close(HANDLE_COMM);
}

struct mpi_comm *comm_find(MPI_Comm handle)
{
    return handle_find(HANDLE_COMM, handle);
}

struct mpi_comm *comm_world(void)
{
    return world_comm;
}

struct mpi_comm *comm_self(void)
{
    return self_comm;
}

MPI_Comm comm_name(struct mpi_comm *comm)
{
    MPI_Comm handle = handle_new(HANDLE_COMM, comm);

    if (!handle) {
        comm_release(comm);
        return MPI_COMM_NULL;
    }
    comm->handle = handle;
    return handle;
}

bool comm_has_slot(uint32_t slot)
{
    struct mpi_comm *at;

    LIST_FOREACH(at, &all, link)
    {
        if (at->context.slot == slot) {
            return true;
        }
    }
    return false;
}

void comm_hold(struct mpi_comm *comm)
{
    comm->holders++;
}

void comm_release(struct mpi_comm *comm)
{
    if (!comm || --comm->holders > 0) {
        return;
    }
    LIST_REMOVE(comm, link);
    attribute_drop(&comm->attributes.own);
    errors_release(comm->errhandler);
    topology_release(comm->topology);
    group_release(comm->local);
    group_release(comm->remote);
    free(comm->masters.rank);
    free(comm->masters.number);
    if (comm->slots.shared) {
        (void)munmap(comm->slots.shared, comm->slots.octets);
    }
    free(comm);
}

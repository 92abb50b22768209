/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The attributes that every communicator has: those of MPI's environment, and how many clients and hosts its members
 * are on and on which of them this process is. Chapters 7.1.1 of MPI, 2.5 of IMPI; called when a communicator is made.
 */
#include <stdlib.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/communicators/attr_set.h"

/* Whether each client, and each host, has a member in the communicator. */
struct presence {
    bool *client, *host;
};

/* Counts the marked ones; stores how many of them come before `own`. */
static int count_marked(const bool *marked, int total, int own, int *before)
{
    int count = 0;

    *before = 0;
    for (int i = 0; i < total; i++) {
        count += marked[i];
        *before += marked[i] && i < own;
    }
    return count;
}

static void mark_members(const struct presence *presence, const struct mpi_group *group, const struct world *world)
{
    for (int rank = 0; rank < group->count; rank++) {
        const struct world_process *process = &world->process[group->world[rank]];

        presence->client[process->client] = true;
        presence->host[process->host] = true;
    }
}

bool attr_set_up(struct attr_set *set, const struct mpi_group *local)
{
    const struct world *world = world_now();
    const struct world_process *self = &world->process[world->rank];
    struct presence presence = {calloc((size_t)world->clients, sizeof(bool)),
                                calloc((size_t)world->hosts, sizeof(bool))};
    int *fixed = set->fixed;
    bool good = presence.client && presence.host;

    if (good) {
        mark_members(&presence, local, world); //= IMPI-097
        fixed[MPI_TAG_UB] = world->tag_ub;     //= IMPI-062
        fixed[MPI_HOST] = MPI_PROC_NULL;
        fixed[MPI_IO] = MPI_ANY_SOURCE;
        fixed[MPI_WTIME_IS_GLOBAL] = 0;
        fixed[MPI_UNIVERSE_SIZE] = world->size;
        fixed[MPI_APPNUM] = world->client;
        /* Clients and hosts are numbered in the order of world ranks, so that colours rise with them, without gaps. */
        //= IMPI-093
        //= IMPI-094
        //= IMPI-095
        //= IMPI-096
        fixed[IMPI_CLIENT_SIZE] =
            count_marked(presence.client, world->clients, self->client, &fixed[IMPI_CLIENT_COLOR]);
        fixed[IMPI_HOST_SIZE] = count_marked(presence.host, world->hosts, self->host, &fixed[IMPI_HOST_COLOR]);
    }
    free(presence.client);
    free(presence.host);
    return good;
}

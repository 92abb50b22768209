/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The life of groups, and comparing them. Chapter 5.3 of MPI; api/group.c is what programs see of it.
 */
#include "ref-impl/mpi/communicators/group.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"

struct mpi_group *group_new(const int *world, int count)
{
    struct mpi_group *group = malloc(sizeof(*group) + (size_t)count * sizeof(group->world[0]));

    if (!group) {
        return NULL;
    }
    group->holders = 1;
    group->count = count;
    if (count > 0) {
        memcpy(group->world, world, (size_t)count * sizeof(group->world[0]));
    }
    group->rank = group_rank_of(group, world_now()->rank);
    return group;
}

bool group_open(void)
{
    struct mpi_group *empty = group_new(NULL, 0);

    if (!empty || !handle_set(HANDLE_GROUP, MPI_GROUP_EMPTY, empty)) {
        free(empty);
        return false;
    }
    return true;
}

void group_close(void)
{
    struct mpi_group *group;
    size_t place = 0;

    while ((group = handle_next(HANDLE_GROUP, &place))) {
        group_release(group);
    }
    handle_close(HANDLE_GROUP);
}

struct mpi_group *group_find(MPI_Group handle)
{
    return handle_find(HANDLE_GROUP, handle);
}

MPI_Group group_name(struct mpi_group *group)
{
    MPI_Group handle = group->count > 0 ? handle_new(HANDLE_GROUP, group) : MPI_GROUP_EMPTY;

    if (!handle || group->count == 0) {
        group_release(group);
    }
    return handle ? handle : MPI_GROUP_NULL;
}

void group_hold(struct mpi_group *group)
{
    group->holders++;
}

void group_release(struct mpi_group *group)
{
    if (group && --group->holders == 0) {
        free(group);
    }
}

int group_rank_of(const struct mpi_group *group, int world)
{
    for (int rank = 0; rank < group->count; rank++) {
        if (group->world[rank] == world) {
            return rank;
        }
    }
    return MPI_UNDEFINED;
}

int group_compare(const struct mpi_group *one, const struct mpi_group *other)
{
    int result = MPI_IDENT;

    if (one->count != other->count) {
        return MPI_UNEQUAL;
    }
    for (int rank = 0; rank < one->count; rank++) {
        if (one->world[rank] == other->world[rank]) {
            continue;
        }
        if (group_rank_of(other, one->world[rank]) == MPI_UNDEFINED) {
            return MPI_UNEQUAL;
        }
        result = MPI_SIMILAR;
    }
    return result;
}

struct mpi_group *group_merge(const struct mpi_group *first, const struct mpi_group *second)
{
    int count = first->count;
    int *world = malloc(((size_t)first->count + (size_t)second->count + 1) * sizeof(*world));
    struct mpi_group *group;

    if (!world) {
        return NULL;
    }
    memcpy(world, first->world, (size_t)count * sizeof(*world));
    for (int rank = 0; rank < second->count; rank++) {
        if (group_rank_of(first, second->world[rank]) == MPI_UNDEFINED) {
            world[count++] = second->world[rank];
        }
    }
    group = group_new(world, count);
    free(world);
    return group;
}

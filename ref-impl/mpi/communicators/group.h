/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Groups: ordered sets of processes, each named by its rank in MPI_COMM_WORLD. Chapter 5.3 of MPI.
 *
 * A group never changes. Groups are counted: each handle of a program is one hold, each communicator with the group
 * another. The empty group has but one handle, MPI_GROUP_EMPTY.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_GROUP_H
#define REF_IMPL_MPI_COMMUNICATORS_GROUP_H

#include <stdbool.h>

#include "ref-impl/include/mpi.h"

struct mpi_group {
    unsigned holders;
    int count;
    int rank;    /* of this process in the group, or MPI_UNDEFINED */
    int world[]; /* rank in MPI_COMM_WORLD of each member */
};

/* group_open - makes MPI_GROUP_EMPTY; false when memory is used up. group_close takes all handles of groups away. */
bool group_open(void);
void group_close(void);

/* group_new - a group of `count` processes with these ranks in MPI_COMM_WORLD, all different; the caller holds it.
 * NULL: memory is used up. */
struct mpi_group *group_new(const int *world, int count);

/* group_find - the group of a handle, or NULL. */
struct mpi_group *group_find(MPI_Group handle);

/* group_name - a handle for a group that the caller holds; the hold becomes the handle's. MPI_GROUP_NULL: memory is
 * used up; the hold is released. */
MPI_Group group_name(struct mpi_group *group);

/* group_hold, group_release - one holder more, one less; the last one to release frees it. */
void group_hold(struct mpi_group *group);
void group_release(struct mpi_group *group);

/* group_rank_of - the rank in the group of the process with this rank in MPI_COMM_WORLD, or MPI_UNDEFINED. */
int group_rank_of(const struct mpi_group *group, int world);

/* group_compare - MPI_IDENT: the same members in the same order; MPI_SIMILAR: in another order; MPI_UNEQUAL. */
int group_compare(const struct mpi_group *one, const struct mpi_group *other);

/* group_merge - the members of `first`, then those of `second` that are not in it. The caller holds it; NULL: memory is
 * used up. */
struct mpi_group *group_merge(const struct mpi_group *first, const struct mpi_group *second);

#endif

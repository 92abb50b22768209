/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs do with groups: chapter 5.3 of MPI. On top of group.c.
 */
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/common/world.h"

API int MPI_Group_size(MPI_Group group, int *size)
{
    struct mpi_call call = call_without("MPI_Group_size");
    const struct mpi_group *found = call_group(&call, group);

    call_output(&call, size, "size");
    if (call.code == MPI_SUCCESS) {
        *size = found->count;
    }
    return call_end(&call);
}

API int MPI_Group_rank(MPI_Group group, int *rank)
{
    struct mpi_call call = call_without("MPI_Group_rank");
    const struct mpi_group *found = call_group(&call, group);

    call_output(&call, rank, "rank");
    if (call.code == MPI_SUCCESS) {
        *rank = found->rank;
    }
    return call_end(&call);
}

/* Ranks of a group, each of which must be one, or MPI_PROC_NULL where that may stand there. */
static void check_ranks(struct mpi_call *call, const struct mpi_group *group, const int *ranks, int count,
                        bool or_nobody)
{
    call_count(call, count, "count");
    if (call->code == MPI_SUCCESS && count > 0) {
        call_output(call, ranks, "ranks");
    }
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (!(or_nobody && ranks[i] == MPI_PROC_NULL) && (ranks[i] < 0 || ranks[i] >= group->count)) {
            call_fail(call, MPI_ERR_RANK, "ranks[%d] is %d, not in 0 .. %d", i, ranks[i], group->count - 1);
        }
    }
}

API int MPI_Group_translate_ranks(MPI_Group group1, int count, const int *ranks1, MPI_Group group2, int *ranks2)
{
    struct mpi_call call = call_without("MPI_Group_translate_ranks");
    const struct mpi_group *from = call_group(&call, group1), *to = call_group(&call, group2);

    check_ranks(&call, from, ranks1, count, true);
    if (count > 0) {
        call_output(&call, ranks2, "ranks2");
    }
    for (int i = 0; call.code == MPI_SUCCESS && i < count; i++) {
        if (ranks1[i] == MPI_PROC_NULL) {
            ranks2[i] = MPI_PROC_NULL;
            continue;
        }
        ranks2[i] = group_rank_of(to, from->world[ranks1[i]]);
    }
    return call_end(&call);
}

API int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    struct mpi_call call = call_without("MPI_Group_compare");
    const struct mpi_group *one = call_group(&call, group1), *other = call_group(&call, group2);

    call_output(&call, result, "result");
    if (call.code == MPI_SUCCESS) {
        *result = group_compare(one, other);
    }
    return call_end(&call);
}

/* The last step of making a group: names it, and what the function returns. */
static int finish(struct mpi_call *call, struct mpi_group *made, MPI_Group *handle)
{
    MPI_Group name = made ? group_name(made) : MPI_GROUP_NULL;

    if (name == MPI_GROUP_NULL) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    } else {
        *handle = name;
    }
    return call_end(call);
}

/* The members of a group that are, or are not, in another. */
static struct mpi_group *choose(const struct mpi_group *from, const struct mpi_group *other, bool in)
{
    int *world = malloc(((size_t)from->count + 1) * sizeof(*world));
    struct mpi_group *made = NULL;
    int count = 0;

    for (int rank = 0; world && rank < from->count; rank++) {
        if ((group_rank_of(other, from->world[rank]) != MPI_UNDEFINED) == in) {
            world[count++] = from->world[rank];
        }
    }
    if (world) {
        made = group_new(world, count);
    }
    free(world);
    return made;
}

API int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_union");
    const struct mpi_group *one = call_group(&call, group1), *other = call_group(&call, group2);

    call_output(&call, newgroup, "newgroup");
    return call.code == MPI_SUCCESS ? finish(&call, group_merge(one, other), newgroup) : call_end(&call);
}

API int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_intersection");
    const struct mpi_group *one = call_group(&call, group1), *other = call_group(&call, group2);

    call_output(&call, newgroup, "newgroup");
    return call.code == MPI_SUCCESS ? finish(&call, choose(one, other, true), newgroup) : call_end(&call);
}

API int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_difference");
    const struct mpi_group *one = call_group(&call, group1), *other = call_group(&call, group2);

    call_output(&call, newgroup, "newgroup");
    return call.code == MPI_SUCCESS ? finish(&call, choose(one, other, false), newgroup) : call_end(&call);
}

/* The group of the listed ranks, or of all others in their order. A rank must not be listed twice. */
static struct mpi_group *pick(struct mpi_call *call, const struct mpi_group *from, const int *ranks, int count, bool in)
{
    int *world = malloc(((size_t)from->count + 1) * sizeof(*world));
    bool *listed = calloc(((size_t)from->count + 1), sizeof(*listed));
    struct mpi_group *made = NULL;
    int rest = 0;

    for (int i = 0; world && listed && call->code == MPI_SUCCESS && i < count; i++) {
        if (listed[ranks[i]]) {
            call_fail(call, MPI_ERR_RANK, "rank %d is listed twice", ranks[i]);
        } else {
            listed[ranks[i]] = true;
            world[i] = from->world[ranks[i]];
        }
    }
    for (int rank = 0; world && listed && !in && rank < from->count; rank++) {
        if (!listed[rank]) {
            world[rest++] = from->world[rank];
        }
    }
    if (world && listed && call->code == MPI_SUCCESS) {
        made = group_new(world, in ? count : rest);
    }
    free(world);
    free(listed);
    return made;
}

API int MPI_Group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_incl");
    const struct mpi_group *from = call_group(&call, group);

    check_ranks(&call, from, ranks, count, false);
    call_output(&call, newgroup, "newgroup");
    return call.code == MPI_SUCCESS ? finish(&call, pick(&call, from, ranks, count, true), newgroup) : call_end(&call);
}

API int MPI_Group_excl(MPI_Group group, int count, const int *ranks, MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_excl");
    const struct mpi_group *from = call_group(&call, group);

    check_ranks(&call, from, ranks, count, false);
    call_output(&call, newgroup, "newgroup");
    return call.code == MPI_SUCCESS ? finish(&call, pick(&call, from, ranks, count, false), newgroup) : call_end(&call);
}

/* How many ranks a range of first, last and stride has; 0: it is no range of ranks of the group. */
static int range_length(const struct mpi_group *group, const int *range)
{
    long first = range[0], last = range[1], stride = range[2];
    bool in_group = first >= 0 && first < group->count && last >= 0 && last < group->count;

    if (!in_group || stride == 0 || (last - first) * stride < 0) {
        return 0;
    }
    return (int)((last - first) / stride) + 1;
}

/* The ranks that ranges mean, one by one, to be freed; stores how many. NULL: the call has failed. */
static int *expand(struct mpi_call *call, const struct mpi_group *group, int count, int ranges[][3], int *total)
{
    int *ranks = NULL;

    *total = 0;
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        int length = range_length(group, ranges[i]);

        if (length == 0 || length > group->count - *total) {
            call_fail(call, MPI_ERR_RANK, "range %d (%d, %d, %d) has ranks outside the group, none, or some twice", i,
                      ranges[i][0], ranges[i][1], ranges[i][2]);
        }
        *total += length;
    }
    if (call->code == MPI_SUCCESS && !(ranks = malloc(((size_t)*total + 1) * sizeof(*ranks)))) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    }
    for (int i = 0, next = 0; ranks && i < count; i++) {
        for (int k = 0; k < range_length(group, ranges[i]); k++) {
            ranks[next++] = (int)(ranges[i][0] + (long)k * ranges[i][2]);
        }
    }
    return ranks;
}

/* What both functions of ranges do. */
static int pick_ranges(struct mpi_call *call, MPI_Group group, int count, int ranges[][3], bool in, MPI_Group *newgroup)
{
    const struct mpi_group *from = call_group(call, group);
    struct mpi_group *made = NULL;
    int total;
    int *ranks;

    call_count(call, count, "count");
    call_output(call, newgroup, "newgroup");
    if (count > 0) {
        call_output(call, ranges, "ranges");
    }
    ranks = expand(call, from, count, ranges, &total);
    if (ranks) {
        made = pick(call, from, ranks, total, in);
        free(ranks);
    }
    return call->code == MPI_SUCCESS ? finish(call, made, newgroup) : call_end(call);
}

API int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_range_incl");

    return pick_ranges(&call, group, count, ranges, true, newgroup);
}

API int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group *newgroup)
{
    struct mpi_call call = call_without("MPI_Group_range_excl");

    return pick_ranges(&call, group, count, ranges, false, newgroup);
}

API int MPI_Group_free(MPI_Group *group)
{
    struct mpi_call call = call_without("MPI_Group_free");
    struct mpi_group *found;

    call_output(&call, group, "group");
    found = call.code == MPI_SUCCESS ? call_group(&call, *group) : NULL;
    if (!found) {
        return call_end(&call);
    }
    if (*group != MPI_GROUP_EMPTY) {
        handle_free(HANDLE_GROUP, *group);
        group_release(found);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

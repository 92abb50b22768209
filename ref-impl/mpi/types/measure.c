/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Sizes and bounds of derived datatypes, by the formulas of chapter 3.12.3 of MPI: from the blocks of a type and the
 * measures of their types, without a look at single elements.
 *
 * A bound is where the first or last octet of any basic element is, unless there are markers MPI_LB or MPI_UB, which
 * then count alone. Without an upper marker the extent is rounded up to the strictest alignment, for every constructor.
 */
#include <stdint.h>

#include "ref-impl/mpi/types/tree.h"

/* A range of octets, empty at first, that grows. */
struct range {
    bool any;
    ptrdiff_t from, to;
};

static void include(struct range *range, ptrdiff_t from, ptrdiff_t to)
{
    range->from = range->any && range->from < from ? range->from : from;
    range->to = range->any && range->to > to ? range->to : to;
    range->any = true;
}

/* The smallest and the largest of 0 and (count - 1) * step. */
static bool reach(size_t count, ptrdiff_t step, ptrdiff_t *least, ptrdiff_t *most)
{
    ptrdiff_t last;

    if (count - 1 > PTRDIFF_MAX || __builtin_mul_overflow((ptrdiff_t)(count - 1), step, &last)) {
        return false;
    }
    *least = last < 0 ? last : 0;
    *most = last > 0 ? last : 0;
    return true;
}

/* Where the elements of a block begin, over all repetitions: the least and the largest offset. */
static bool offsets(const struct mpi_type *type, const struct type_block *block, struct range *range)
{
    ptrdiff_t least, most, least_repeat, most_repeat;

    return reach(block->count, type_extent(block->of), &least, &most) &&
           reach(type->repeat, type->stride, &least_repeat, &most_repeat) &&
           !__builtin_add_overflow(least, least_repeat, &range->from) &&
           !__builtin_add_overflow(range->from, block->displacement, &range->from) &&
           !__builtin_add_overflow(most, most_repeat, &range->to) &&
           !__builtin_add_overflow(range->to, block->displacement, &range->to);
}

/* Adds `times` times the measures of an element that can be summed up. */
static bool add_sizes(struct mpi_type *type, const struct mpi_type *of, size_t times)
{
    size_t basics, octets[2];

    if (__builtin_mul_overflow(times, of->basics, &basics) ||
        __builtin_add_overflow(type->basics, basics, &type->basics)) {
        return false;
    }
    for (int form = TYPE_NATIVE; form <= TYPE_EXTERNAL; form++) {
        if (__builtin_mul_overflow(times, of->octets[form], &octets[form]) ||
            __builtin_add_overflow(type->octets[form], octets[form], &type->octets[form]) ||
            type->octets[form] > PTRDIFF_MAX) {
            return false;
        }
    }
    return true;
}

/* Takes the markers of a block into the range of each kind, its elements beginning from `at.from` to `at.to`. */
static bool mark_bounds(const struct mpi_type *of, const struct range *at, struct range marked[2])
{
    ptrdiff_t bound;

    if (of->has_lb) {
        if (__builtin_add_overflow(at->from, of->lb, &bound)) {
            return false;
        }
        include(&marked[0], bound, bound);
    }
    if (of->has_ub) {
        if (__builtin_add_overflow(at->to, of->ub, &bound)) {
            return false;
        }
        include(&marked[1], bound, bound);
    }
    return true;
}

/* Takes the octets of a block into their range. */
static bool mark_octets(const struct mpi_type *of, const struct range *at, struct range *data)
{
    ptrdiff_t from, to;

    if (of->basics == 0) {
        return true;
    }
    if (__builtin_add_overflow(at->from, of->true_lb, &from) || __builtin_add_overflow(at->to, of->true_ub, &to)) {
        return false;
    }
    include(data, from, to);
    return true;
}

/* Takes a block into the sizes, and into the ranges of octets and of markers. */
static bool measure_block(struct mpi_type *type, const struct type_block *block, struct range *data,
                          struct range marked[2])
{
    const struct mpi_type *of = block->of;
    struct range at = {false, 0, 0};
    size_t times;

    if (block->count == 0 || type->repeat == 0) {
        return true;
    }
    if (of->basics > 0 && of->alignment > type->alignment) {
        type->alignment = of->alignment;
    }
    return !__builtin_mul_overflow(block->count, type->repeat, &times) && add_sizes(type, of, times) &&
           offsets(type, block, &at) && mark_bounds(of, &at, marked) && mark_octets(of, &at, data);
}

/* Whether the octets of all blocks stand one behind the other, and what they all are. */
static void mark_blocks(struct mpi_type *type)
{
    ptrdiff_t next = type->true_lb;
    bool first = true;

    type->uniform = type->contiguous = type->basics > 0;
    for (size_t i = 0; i < type->block_count && type->uniform; i++) {
        const struct type_block *block = &type->block[i];
        const struct mpi_type *of = block->of;

        if (block->count == 0 || of->basics == 0) {
            continue;
        }
        type->uniform = of->uniform && (first || of->basic == type->basic);
        type->basic = of->basic;
        first = false;
        type->contiguous = type->contiguous && (of->dense || (of->contiguous && block->count == 1)) &&
                           block->displacement + of->true_lb == next;
        if (type->contiguous) { /* else it may be more than memory has: blocks can lie upon each other */
            next += (ptrdiff_t)(block->count * of->octets[TYPE_NATIVE]);
        }
    }
    type->contiguous = type->contiguous && type->uniform && (type->repeat == 1 || next - type->true_lb == type->stride);
    type->dense = type->contiguous && type_extent(type) == (ptrdiff_t)type->octets[TYPE_NATIVE];
}

bool type_measure(struct mpi_type *type)
{
    struct range data = {false, 0, 0}, marked[2] = {{false, 0, 0}, {false, 0, 0}};
    ptrdiff_t extent, over;

    type->alignment = 1;
    type->basics = type->octets[TYPE_NATIVE] = type->octets[TYPE_EXTERNAL] = 0;
    for (size_t i = 0; i < type->block_count; i++) {
        if (!measure_block(type, &type->block[i], &data, marked)) {
            return false;
        }
    }
    type->true_lb = data.from;
    type->true_ub = data.to;
    type->has_lb = marked[0].any;
    type->has_ub = marked[1].any;
    type->lb = type->has_lb ? marked[0].from : data.from;
    type->ub = type->has_ub ? marked[1].to : data.any ? data.to : type->lb;
    if (__builtin_sub_overflow(type->ub, type->lb, &extent)) {
        return false;
    }
    over = extent % (ptrdiff_t)type->alignment;
    if (!type->has_ub && over > 0 && __builtin_add_overflow(type->ub, (ptrdiff_t)type->alignment - over, &type->ub)) {
        return false;
    }
    mark_blocks(type);
    return true;
}

void type_resize(struct mpi_type *type, ptrdiff_t lb, ptrdiff_t ub)
{
    type->lb = lb;
    type->ub = ub;
    type->has_lb = type->has_ub = true;
    type->dense = type->contiguous && type_extent(type) == (ptrdiff_t)type->octets[TYPE_NATIVE];
}

bool type_range(const struct mpi_type *type, size_t count, ptrdiff_t *from, ptrdiff_t *to)
{
    ptrdiff_t least = 0, most = 0;

    return (count == 0 || reach(count, type_extent(type), &least, &most)) &&
           !__builtin_add_overflow(least, count ? type->true_lb : 0, from) &&
           !__builtin_add_overflow(most, count ? type->true_ub : 0, to);
}

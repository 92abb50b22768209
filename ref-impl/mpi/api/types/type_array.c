/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Datatypes that are a part of an array of several dimensions: a box in it, and what a process has of one that is
 * distributed over a grid of processes. Chapters 4.1.3 and 4.1.4 of MPI-3. Both are built dimension by dimension, from
 * the one whose neighbours lie next to each other on.
 */
#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/api/types/type_make.h"

/* ---- a part of an array ----------------------------------------------------------------------------------------- */

struct part {
    int ndims, order;
    const int *sizes, *subsizes, *starts;
};

static void check_part(struct mpi_call *call, const struct part *part)
{
    if (part->ndims < 1) {
        call_fail(call, MPI_ERR_ARG, "ndims is %d, less than 1", part->ndims);
    }
    if (part->order != MPI_ORDER_C && part->order != MPI_ORDER_FORTRAN) {
        call_fail(call, MPI_ERR_ARG, "order is %d, neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", part->order);
    }
    call_output(call, part->sizes, "sizes");
    call_output(call, part->subsizes, "subsizes");
    call_output(call, part->starts, "starts");
    for (int i = 0; call->code == MPI_SUCCESS && i < part->ndims; i++) {
        if (part->sizes[i] < 1 || part->subsizes[i] < 1 || part->starts[i] < 0 || part->subsizes[i] > part->sizes[i] ||
            part->starts[i] > part->sizes[i] - part->subsizes[i]) {
            call_fail(call, MPI_ERR_ARG, "dimension %d has size %d, subsize %d, start %d", i, part->sizes[i],
                      part->subsizes[i], part->starts[i]);
        }
    }
}

/* Repeats a type, which it takes, along a dimension; `*stride` octets lie between neighbours there, and become those of
 * the next dimension. NULL: the call has failed. */
static struct mpi_type *along(struct mpi_call *call, const struct part *part, int dimension, struct mpi_type *of,
                              ptrdiff_t *stride)
{
    struct mpi_type *type = NULL;
    ptrdiff_t at;

    if (__builtin_mul_overflow((ptrdiff_t)part->starts[dimension], *stride, &at)) {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
    } else {
        type = api_type_repeated(call, of, at, part->subsizes[dimension], *stride);
    }
    type_release(of);
    if (type && (!type_measure(type) || __builtin_mul_overflow(*stride, (ptrdiff_t)part->sizes[dimension], stride))) {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
        type_release(type);
        type = NULL;
    }
    return type;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Type_create_subarray(int ndims, const int *sizes, const int *subsizes, const int *starts, int order,
                                 MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_subarray");
    const struct part part = {ndims, order, sizes, subsizes, starts};
    struct mpi_type *type = call_any_type(&call, oldtype);
    ptrdiff_t stride = type ? type_extent(type) : 0;
    struct type_recipe *recipe;
    int code;

    call_output(&call, newtype, "newtype");
    check_part(&call, &part);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    recipe = recipe_new(MPI_COMBINER_SUBARRAY, 3 * ndims + 2, 0, 1);
    recipe_ints(recipe, 1, &ndims);
    recipe_ints(recipe, ndims, sizes);
    recipe_ints(recipe, ndims, subsizes);
    recipe_ints(recipe, ndims, starts);
    recipe_ints(recipe, 1, &order);
    recipe_type(recipe, type);
    type_hold(type);
    for (int i = 0; type && i < ndims; i++) {
        type = along(&call, &part, order == MPI_ORDER_C ? ndims - 1 - i : i, type, &stride);
    }
    code = api_type_finish(&call, type, recipe, newtype);
    if (code == MPI_SUCCESS && type) {
        type_resize(type, 0, stride);
    }
    return code;
}

/* ---- the share of a process ------------------------------------------------------------------------------------- */

struct grid {
    int size, rank, ndims, order;
    const int *gsizes, *distribs, *dargs, *psizes;
};

/* One dimension: elements in all, in a block, processes, and which of these this is. */
struct cut {
    int elements, block, processes, own;
};

/* A default argument, which all but MPI_DISTRIBUTE_BLOCK and MPI_DISTRIBUTE_CYCLIC must have: blocks as equal as they
 * can be, or of one element. */
static int block_of(const struct grid *grid, int i)
{
    int equal = grid->gsizes[i] / grid->psizes[i] + (grid->gsizes[i] % grid->psizes[i] > 0);

    if (grid->dargs[i] != MPI_DISTRIBUTE_DFLT_DARG && grid->distribs[i] != MPI_DISTRIBUTE_NONE) {
        return grid->dargs[i];
    }
    return grid->distribs[i] == MPI_DISTRIBUTE_CYCLIC ? 1 : equal;
}

static void check_dimension(struct mpi_call *call, const struct grid *grid, int i)
{
    int how = grid->distribs[i], block;

    if (grid->gsizes[i] < 1 || grid->psizes[i] < 1) {
        call_fail(call, MPI_ERR_ARG, "dimension %d has %d elements and %d processes", i, grid->gsizes[i],
                  grid->psizes[i]);
        return;
    }
    block = block_of(grid, i);
    if (how != MPI_DISTRIBUTE_BLOCK && how != MPI_DISTRIBUTE_CYCLIC && how != MPI_DISTRIBUTE_NONE) {
        call_fail(call, MPI_ERR_ARG, "distribs[%d] is %d, none of MPI_DISTRIBUTE_..", i, how);
    } else if (how == MPI_DISTRIBUTE_NONE && grid->psizes[i] != 1) {
        call_fail(call, MPI_ERR_ARG, "psizes[%d] is %d for a dimension that is not distributed", i, grid->psizes[i]);
    } else if (block < 1 || (how == MPI_DISTRIBUTE_BLOCK && (long long)block * grid->psizes[i] < grid->gsizes[i])) {
        call_fail(call, MPI_ERR_ARG, "dargs[%d] is %d, too small a block", i, grid->dargs[i]);
    }
}

static void check_grid(struct mpi_call *call, const struct grid *grid)
{
    long long processes = 1;

    if (grid->ndims < 1) {
        call_fail(call, MPI_ERR_ARG, "ndims is %d, less than 1", grid->ndims);
    }
    if (grid->order != MPI_ORDER_C && grid->order != MPI_ORDER_FORTRAN) {
        call_fail(call, MPI_ERR_ARG, "order is %d, neither MPI_ORDER_C nor MPI_ORDER_FORTRAN", grid->order);
    }
    call_output(call, grid->gsizes, "gsizes");
    call_output(call, grid->distribs, "distribs");
    call_output(call, grid->dargs, "dargs");
    call_output(call, grid->psizes, "psizes");
    for (int i = 0; call->code == MPI_SUCCESS && i < grid->ndims; i++) {
        check_dimension(call, grid, i);
        processes = processes > grid->size ? processes : processes * grid->psizes[i];
    }
    if (processes != grid->size) {
        call_fail(call, MPI_ERR_ARG, "the product of psizes is not size, %d", grid->size);
    }
    if (grid->rank < 0 || grid->rank >= grid->size) {
        call_fail(call, MPI_ERR_ARG, "rank %d is not in 0 .. %d", grid->rank, grid->size - 1);
    }
}

/* Processes stand in the grid as ranks do in a Cartesian topology: the last dimension's coordinate changes first. */
static struct cut cut_of(const struct grid *grid, int dimension)
{
    int behind = 1;

    for (int i = dimension + 1; i < grid->ndims; i++) {
        behind *= grid->psizes[i];
    }
    return (struct cut){grid->gsizes[dimension], block_of(grid, dimension), grid->psizes[dimension],
                        grid->rank / behind % grid->psizes[dimension]};
}

/* The blocks of a process along a dimension, of which every so many are its own: whole ones, and one that the array's
 * end may cut. NULL: the call has failed. */
static struct mpi_type *blocks_of(struct mpi_call *call, const struct cut *cut, struct mpi_type *of, ptrdiff_t stride)
{
    long long first = (long long)cut->own * cut->block, step = (long long)cut->processes * cut->block;
    long long left = cut->elements > first ? cut->elements - first : 0;
    int whole = (int)(left / step) + (left % step >= cut->block);
    int cut_off = left % step < cut->block ? (int)(left % step) : 0;
    struct mpi_type *block = api_type_repeated(call, of, 0, cut->block, stride);
    struct mpi_type *rest = api_type_repeated(call, of, 0, cut_off, stride);
    struct mpi_type *row = NULL, *both = api_type_begin(call, 2);

    if (block && rest && both && type_measure(block) && type_measure(rest)) {
        row = api_type_repeated(call, block, 0, whole, stride * step);
    }
    if (row && type_measure(row)) {
        type_set_block(both, 0, stride * first, 1, row);
        type_set_block(both, 1, stride * (first + whole * step), 1, rest);
    } else {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
        type_release(both);
        both = NULL;
    }
    type_release(block);
    type_release(rest);
    type_release(row);
    return both;
}

/* Distributes a type, which it takes, along a dimension, as along() does. */
static struct mpi_type *distribute(struct mpi_call *call, const struct cut *cut, struct mpi_type *of, ptrdiff_t *stride)
{
    struct mpi_type *type = NULL;
    ptrdiff_t next;

    if (__builtin_mul_overflow(*stride, (ptrdiff_t)cut->elements, &next)) {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
    } else {
        type = blocks_of(call, cut, of, *stride);
        *stride = next;
    }
    type_release(of);
    if (type && !type_measure(type)) {
        call_fail(call, MPI_ERR_ARG, "the array would be larger than memory");
        type_release(type);
        type = NULL;
    }
    return type;
}

static struct type_recipe *recipe_of(const struct grid *grid, struct mpi_type *of)
{
    struct type_recipe *recipe = recipe_new(MPI_COMBINER_DARRAY, 4 * grid->ndims + 4, 0, 1);

    recipe_ints(recipe, 3, (const int[]){grid->size, grid->rank, grid->ndims});
    recipe_ints(recipe, grid->ndims, grid->gsizes);
    recipe_ints(recipe, grid->ndims, grid->distribs);
    recipe_ints(recipe, grid->ndims, grid->dargs);
    recipe_ints(recipe, grid->ndims, grid->psizes);
    recipe_ints(recipe, 1, &grid->order);
    recipe_type(recipe, of);
    return recipe;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Type_create_darray(int size, int rank, int ndims, const int *gsizes, const int *distribs, const int *dargs,
                               const int *psizes, int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_call call = call_without("MPI_Type_create_darray");
    const struct grid grid = {size, rank, ndims, order, gsizes, distribs, dargs, psizes};
    struct mpi_type *type = call_any_type(&call, oldtype);
    ptrdiff_t stride = type ? type_extent(type) : 0;
    struct type_recipe *recipe;
    int code;

    call_output(&call, newtype, "newtype");
    check_grid(&call, &grid);
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    recipe = recipe_of(&grid, type);
    type_hold(type);
    for (int i = 0; type && i < ndims; i++) {
        struct cut cut = cut_of(&grid, order == MPI_ORDER_C ? ndims - 1 - i : i);

        type = distribute(&call, &cut, type, &stride);
    }
    code = api_type_finish(&call, type, recipe, newtype);
    if (code == MPI_SUCCESS && type) {
        type_resize(type, 0, stride);
    }
    return code;
}

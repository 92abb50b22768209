/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How a program made a datatype: the constructor and its arguments, for those who ask. Chapter 4.1.13 of MPI-3. What
 * the type is inside does not depend on it (types/tree.h).
 *
 * A recipe is written argument after argument, each kind in the order of the standard's table:
 *
 *     struct type_recipe *recipe = recipe_new(MPI_COMBINER_INDEXED, 2 * count + 1, 0, 1);
 *
 *     recipe_ints(recipe, 1, &count);
 *     recipe_ints(recipe, count, lengths);
 *     recipe_ints(recipe, count, displacements);
 *     recipe_type(recipe, of);
 */
#ifndef REF_IMPL_MPI_TYPES_RECIPE_H
#define REF_IMPL_MPI_TYPES_RECIPE_H

#include "ref-impl/include/mpi.h"

struct mpi_type;

struct type_recipe {
    unsigned holders;
    int combiner;
    int int_count, address_count, type_count; /* written so far; in the end the numbers of MPI_Type_get_envelope */
    int *ints;
    MPI_Aint *addresses;
    struct mpi_type **types; /* held */
};

/* recipe_new - an empty recipe with room for so many arguments; the caller is its one holder. NULL: memory is used
 * up.
 * recipe_ints, recipe_addresses, recipe_type - write arguments, for which there is room; nothing happens
 * where the recipe is NULL. */
struct type_recipe *recipe_new(int combiner, int ints, int addresses, int types);
void recipe_ints(struct type_recipe *recipe, int count, const int *values);
void recipe_addresses(struct type_recipe *recipe, int count, const MPI_Aint *values);
void recipe_type(struct type_recipe *recipe, struct mpi_type *type);

/* recipe_hold, recipe_release - one holder more, one less; the last one to release frees it. NULL is none. */
void recipe_hold(struct type_recipe *recipe);
void recipe_release(struct type_recipe *recipe);

#endif

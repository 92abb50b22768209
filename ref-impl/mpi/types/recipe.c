/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Recipes of datatypes: see recipe.h.
 */
#include "ref-impl/mpi/types/recipe.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/types/type.h"

/* One octet more, so that room for nothing is no failure. */
static void *room(int count, size_t octets)
{
    return malloc((size_t)count * octets + 1);
}

struct type_recipe *recipe_new(int combiner, int ints, int addresses, int types)
{
    struct type_recipe *recipe = calloc(1, sizeof(*recipe));

    if (!recipe) {
        return NULL;
    }
    recipe->holders = 1;
    recipe->combiner = combiner;
    recipe->ints = room(ints, sizeof(*recipe->ints));
    recipe->addresses = room(addresses, sizeof(*recipe->addresses));
    recipe->types = room(types, sizeof(struct mpi_type *));
    if (!recipe->ints || !recipe->addresses || !recipe->types) {
        recipe_release(recipe);
        return NULL;
    }
    return recipe;
}

void recipe_ints(struct type_recipe *recipe, int count, const int *values)
{
    if (recipe && count > 0) {
        memcpy(recipe->ints + recipe->int_count, values, (size_t)count * sizeof(*values));
        recipe->int_count += count;
    }
}

void recipe_addresses(struct type_recipe *recipe, int count, const MPI_Aint *values)
{
    if (recipe && count > 0) {
        memcpy(recipe->addresses + recipe->address_count, values, (size_t)count * sizeof(*values));
        recipe->address_count += count;
    }
}

void recipe_type(struct type_recipe *recipe, struct mpi_type *type)
{
    if (recipe) {
        type_hold(type);
        recipe->types[recipe->type_count++] = type;
    }
}

void recipe_hold(struct type_recipe *recipe)
{
    if (recipe) {
        recipe->holders++;
    }
}

void recipe_release(struct type_recipe *recipe)
{
    if (!recipe || --recipe->holders > 0) {
        return;
    }
    for (int i = 0; i < recipe->type_count; i++) {
        type_release(recipe->types[i]);
    }
    free(recipe->ints);
    free(recipe->addresses);
    free(recipe->types);
    free(recipe);
}

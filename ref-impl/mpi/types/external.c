/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Types with elements of external32's sizes: see types/external.h. The tree is copied; which of its displacements count
 * elements is known from the constructor (types/recipe.h).
 */
#include "ref-impl/mpi/types/external.h"

#include "ref-impl/mpi/types/tree.h"

/* Where displacements count elements: of which type, and what that is in external32. In the trees of the other
 * constructors `of` is NULL. */
struct unit {
    const struct mpi_type *of;
    struct mpi_type *external;
};

/* Whether all displacements of a constructor count elements. */
static bool is_portable(const struct type_recipe *recipe)
{
    switch (recipe->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
        return true;
    default:
        return false;
    }
}

/* A displacement in external32; false: it is too large. */
static bool scale(const struct unit *unit, ptrdiff_t *displacement)
{
    ptrdiff_t extent = unit->of ? type_extent(unit->of) : 0;

    return extent == 0 || !__builtin_mul_overflow(*displacement / extent, type_extent(unit->external), displacement);
}

/* The octets of a predefined type; a marker is what it was. */
static struct mpi_type *element(const struct mpi_type *type)
{
    struct mpi_type *octets;

    if (type->basics == 0) {
        return type_find(type->handle);
    }
    octets = type_new(1);
    if (octets) {
        octets->block[0] = (struct type_block){0, type->octets[TYPE_EXTERNAL], type_find(MPI_BYTE)};
    }
    if (octets && !type_measure(octets)) {
        type_release(octets);
        octets = NULL;
    }
    return octets;
}

/* Bounds that a constructor has set, in place of those that follow from the elements. */
static bool set_bounds(const struct mpi_type *type, const struct unit *unit, struct mpi_type *external)
{
    int combiner = type->recipe ? type->recipe->combiner : MPI_COMBINER_NAMED;
    ptrdiff_t ub = type->ub;

    if (combiner == MPI_COMBINER_RESIZED) {
        type_resize(external, type->lb, ub);
    } else if (combiner == MPI_COMBINER_SUBARRAY || combiner == MPI_COMBINER_DARRAY) {
        if (!scale(unit, &ub)) {
            return false;
        }
        type_resize(external, 0, ub);
    }
    return true;
}

static struct mpi_type *copy(const struct mpi_type *type, const struct unit *unit);

/* The type of a block, held once more; that of the block before where it is the same. */
static struct mpi_type *copy_block(const struct mpi_type *type, size_t i, const struct unit *unit,
                                   const struct mpi_type *external)
{
    struct mpi_type *known = NULL;

    if (type->block[i].of == unit->of) {
        known = unit->external;
    } else if (i > 0 && type->block[i].of == type->block[i - 1].of) {
        known = external->block[i - 1].of;
    }
    if (!known) {
        return copy(type->block[i].of, unit);
    }
    type_hold(known);
    return known;
}

/* A type's own tree, its displacements in the unit. */
static struct mpi_type *copy_tree(const struct mpi_type *type, const struct unit *unit)
{
    struct mpi_type *external = type_new(type->block_count);
    bool good = external != NULL;

    if (good) {
        external->repeat = type->repeat;
        external->stride = type->stride;
        good = scale(unit, &external->stride);
    }
    for (size_t i = 0; good && i < type->block_count; i++) {
        struct type_block *block = &external->block[i];

        *block =
            (struct type_block){type->block[i].displacement, type->block[i].count, copy_block(type, i, unit, external)};
        good = block->of && scale(unit, &block->displacement);
    }
    if (!good || !type_measure(external) || !set_bounds(type, unit, external)) {
        type_release(external);
        return NULL;
    }
    return external;
}

/* Trees without a recipe are parts of the constructor around them, and have its unit. */
static struct mpi_type *copy(const struct mpi_type *type, const struct unit *around)
{
    struct unit unit = {NULL, NULL};
    struct mpi_type *external;

    if (type->predefined) {
        return element(type);
    }
    if (!type->recipe) {
        return copy_tree(type, around);
    }
    if (is_portable(type->recipe)) {
        unit.of = type->recipe->types[0];
        unit.external = copy(unit.of, around);
        if (!unit.external) {
            return NULL;
        }
    }
    external = copy_tree(type, &unit);
    type_release(unit.external);
    return external;
}

struct mpi_type *type_external(const struct mpi_type *type)
{
    return copy(type, &(struct unit){NULL, NULL});
}

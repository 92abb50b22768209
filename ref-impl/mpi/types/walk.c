/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The walk over a type map: which basic elements are where, in the order in which they are packed. Elements that stand
 * one behind the other are one visit. Used by types/pack.c; the depth of the recursion is that of the type's making.
 */
#include "ref-impl/mpi/types/tree.h"

struct walk {
    type_visit *visit;
    void *context;
};

static bool walk_elements(const struct walk *walk, const struct mpi_type *type, size_t count, ptrdiff_t base);

/* One repetition of the pattern, `base` being where its blocks count from. */
static bool walk_blocks(const struct walk *walk, const struct mpi_type *type, ptrdiff_t base)
{
    for (size_t i = 0; i < type->block_count; i++) {
        const struct type_block *block = &type->block[i];

        if (!walk_elements(walk, block->of, block->count, base + block->displacement)) {
            return false;
        }
    }
    return true;
}

static bool walk_one(const struct walk *walk, const struct mpi_type *type, ptrdiff_t base)
{
    if (type->contiguous) {
        return walk->visit(walk->context, base + type->true_lb, type->basic, type->basics);
    }
    for (size_t i = 0; i < type->repeat; i++) {
        if (!walk_blocks(walk, type, base + (ptrdiff_t)i * type->stride)) {
            return false;
        }
    }
    return true;
}

static bool walk_elements(const struct walk *walk, const struct mpi_type *type, size_t count, ptrdiff_t base)
{
    if (count == 0 || type->basics == 0) {
        return true;
    }
    if (type->dense) {
        return walk->visit(walk->context, base + type->true_lb, type->basic, count * type->basics);
    }
    for (size_t i = 0; i < count; i++) {
        if (!walk_one(walk, type, base + (ptrdiff_t)i * type_extent(type))) {
            return false;
        }
    }
    return true;
}

bool type_walk(const struct mpi_type *type, size_t count, type_visit *visit, void *context)
{
    const struct walk walk = {visit, context};

    return walk_elements(&walk, type, count, 0);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Types of blocks: what MPI_Type_indexed and the collective operations with displacements make, and what blocks are in
 * the end made of. Chapter 3.12 of MPI.
 */
#include "ref-impl/mpi/types/tree.h"

void type_set_block(struct mpi_type *type, int index, ptrdiff_t displacement, int count, struct mpi_type *of)
{
    type_hold(of);
    type->block[index] = (struct type_block){displacement, (size_t)count, of};
}

/* Fills in the blocks of an indexed type. */
bool type_index_blocks(struct mpi_type *type, int count, const int *lengths, const int *displacements,
                       struct mpi_type *of)
{
    for (int i = 0; i < count; i++) {
        ptrdiff_t octets;

        if (__builtin_mul_overflow((ptrdiff_t)displacements[i], type_extent(of), &octets)) {
            return false;
        }
        type_set_block(type, i, octets, lengths[i], of);
    }
    return true;
}

struct mpi_type *type_indexed(int count, const int *lengths, const int *displacements, struct mpi_type *of)
{
    struct mpi_type *type = type_new((size_t)count);

    if (type && !(type_index_blocks(type, count, lengths, displacements, of) && type_measure(type))) {
        type_release(type);
        return NULL;
    }
    return type;
}

const struct mpi_type *type_leaf(const struct mpi_type *type)
{
    const struct mpi_type *leaf = NULL;

    if (type->predefined) {
        return type->basics > 0 ? type : NULL;
    }
    for (size_t i = 0; i < type->block_count; i++) {
        const struct type_block *block = &type->block[i];
        const struct mpi_type *one = block->count > 0 && block->of->basics > 0 ? type_leaf(block->of) : leaf;

        if (!one && !leaf) {
            continue;
        }
        if (leaf && one != leaf) {
            return NULL;
        }
        leaf = one;
    }
    return leaf;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Type maps as trees: what a datatype is inside.
 *
 * A type is a pattern that is repeated at a stride; the pattern is a row of blocks, each of so many elements of another
 * type, one after the other at that type's extent:
 *
 *      contiguous(n, t)     1 x      { n of t at 0 }
 *      vector(c, b, s, t)   c x, s   { b of t at 0 }
 *      indexed, struct      1 x      { b0 of t0 at d0 } { b1 of t1 at d1 } ...
 *
 * A type all of whose elements are of one basic type, one behind the other without gaps, is `contiguous`; when the next
 * element of the type begins where it ends, it is `dense` too, and a row of them needs no walk.
 */
#ifndef REF_IMPL_MPI_TYPES_TREE_H
#define REF_IMPL_MPI_TYPES_TREE_H

#include "ref-impl/mpi/common/attribute.h"
#include "ref-impl/mpi/types/recipe.h"
#include "ref-impl/mpi/types/type.h"

struct type_block {
    ptrdiff_t displacement;
    size_t count;
    struct mpi_type *of; /* held */
};

struct mpi_type {
    unsigned holders;
    MPI_Datatype handle;
    MPI_Datatype named; /* predefined: the type of C that it is like, mostly itself */
    bool predefined, committed;
    char *name; /* MPI_Type_set_name; NULL: none given */
    struct attr_list attributes;
    struct type_recipe *recipe; /* how a program made it; NULL: predefined, or the library's own */

    size_t basics;              /* basic elements in the whole type map */
    size_t octets[2];           /* packed, in each form */
    ptrdiff_t lb, ub;           /* bounds, of MPI_LB and MPI_UB where there are any */
    bool has_lb, has_ub;        /* markers, which win over what is not one */
    ptrdiff_t true_lb, true_ub; /* of the octets themselves; 0 when there are none */
    size_t alignment;           /* the strictest of the basic types */

    bool uniform;           /* all elements are of the type `basic` */
    bool contiguous, dense; /* see above */
    enum wire_external32 basic;

    size_t repeat;
    ptrdiff_t stride; /* octets */
    size_t block_count;
    struct type_block block[]; /* empty in basic types and markers */
};

/* type_new - an empty type with room for blocks; the caller is its one holder. NULL: memory is used up. */
struct mpi_type *type_new(size_t block_count);

/* type_clone - another type with the same map and recipe, without handle and name; the caller is its one holder. NULL:
 * memory is used up. */
struct mpi_type *type_clone(const struct mpi_type *type);

/* type_set_block - makes block `index` of a type: `count` elements of type `of`, which it holds. */
void type_set_block(struct mpi_type *type, int index, ptrdiff_t displacement, int count, struct mpi_type *of);

/* type_index_blocks - fills in the blocks of an indexed type; displacements are in extents of `of`. False: one of them
 * is larger than memory. */
bool type_index_blocks(struct mpi_type *type, int count, const int *lengths, const int *displacements,
                       struct mpi_type *of);

/* type_measure - computes sizes, bounds and marks from the blocks, whose types must be measured; false when a number
 * is larger than memory. */
bool type_measure(struct mpi_type *type);

/* type_resize - gives a type that is measured other bounds, as markers do, in place of any that it has. */
void type_resize(struct mpi_type *type, ptrdiff_t lb, ptrdiff_t ub);

/* What a walk finds: `count` elements of a basic type, one after the other, from an offset relative to the buffer on.
 * False ends the walk. */
typedef bool type_visit(void *context, ptrdiff_t offset, enum wire_external32 basic, size_t count);

/* type_walk - visits the elements of `count` elements of a type in the order of the type map; false when a visit ended
 * it. */
bool type_walk(const struct mpi_type *type, size_t count, type_visit *visit, void *context);

#endif

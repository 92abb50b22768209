/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the constructors of datatypes have in common, those of MPI-1 (api/type.c) and of MPI-2 (api/types/type_newer.c).
 */
#ifndef REF_IMPL_MPI_API_TYPES_TYPE_MAKE_H
#define REF_IMPL_MPI_API_TYPES_TYPE_MAKE_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/types/tree.h"

/* api_type_begin - a type with room for blocks, for a call that is still good. NULL: the call has failed. */
struct mpi_type *api_type_begin(struct mpi_call *call, int blocks);

/* api_type_repeated - one element of a type at a place, repeated at a stride of octets. NULL: the call has failed. */
struct mpi_type *api_type_repeated(struct mpi_call *call, struct mpi_type *of, ptrdiff_t at, int times,
                                   ptrdiff_t stride);

/* api_type_finish - measures and names a type that has its blocks, and stores its handle; what the function returns.
 * The recipe becomes the type's; it may be NULL where the call has failed, and for want of memory. */
int api_type_finish(struct mpi_call *call, struct mpi_type *type, struct type_recipe *recipe, MPI_Datatype *newtype);

/* api_type_name - gives a type that is measured its handle, and stores that; what the function returns. The type
 * becomes the handle's, or is released. */
int api_type_name(struct mpi_call *call, struct mpi_type *type, MPI_Datatype *newtype);

/* api_type_block_recipe - the begin of the recipe of a list of blocks: `count` and the lengths. There is room for so
 * many ints more, and for `count` addresses and types. NULL: memory is used up. */
struct type_recipe *api_type_block_recipe(int combiner, int count, const int *lengths, int ints);

/* api_type_blocks - checks lengths and displacements of a list of blocks. */
void api_type_blocks(struct mpi_call *call, int count, const int *lengths, const void *displacements);

#endif

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

/* api_type_finish - measures and names a type that has its blocks, and stores its handle; what the function returns. */
int api_type_finish(struct mpi_call *call, struct mpi_type *type, MPI_Datatype *newtype);

/* api_type_blocks - checks lengths and displacements of a list of blocks. */
void api_type_blocks(struct mpi_call *call, int count, const int *lengths, const void *displacements);

#endif

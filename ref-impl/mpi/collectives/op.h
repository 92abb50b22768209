/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations of reductions. Chapter 4.9 of MPI.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_OP_H
#define REF_IMPL_MPI_COLLECTIVES_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ref-impl/include/mpi.h"
#include "ref-impl/mpi/types/type.h"

struct mpi_op;

/* op_open - makes the predefined operations; false when memory is used up. op_close takes all away. */
bool op_open(void);
void op_close(void);

/* op_find - the operation of a handle, or NULL. */
struct mpi_op *op_find(MPI_Op handle);

/* op_new - the handle of a new operation with a function of the program; MPI_OP_NULL: memory is used up.
 * op_free - takes such an operation and its handle away. */
MPI_Op op_new(MPI_User_function *function, bool commutes);
void op_free(MPI_Op handle);

/* op_hold, op_release - one holder more, one less, beside the handle: a freed operation stays until nobody needs it. */
void op_hold(struct mpi_op *op);
void op_release(struct mpi_op *op);

/* op_is_predefined - whether the operation is one that mpi.h names. */
bool op_is_predefined(const struct mpi_op *op);

/* op_commutes - whether the order of operands does not matter. */
bool op_commutes(const struct mpi_op *op);

/* op_takes - whether the operation has a meaning for elements of the type; a program's own always has. */
bool op_takes(const struct mpi_op *op, const struct mpi_type *type);

/* op_apply - inout[i] = in[i] op inout[i] for `count` elements. op_takes must hold. */
void op_apply(const struct mpi_op *op, const struct mpi_type *type, int count, void *in, void *inout);

/* A predefined operation on elements of a predefined type as numbers, which mean the same in all processes of a client:
 * no handle is needed to apply it. */
struct op_row {
    uint32_t op, row;
    size_t element; /* octets in memory */
};

/* op_row - the numbers of an operation and a type; false: the one has no meaning for the other, or is not predefined.
 * op_apply_row - as op_apply, for as many whole elements as there are in `octets`; MPI_REPLACE takes `in`, MPI_NO_OP
 * changes nothing. Numbers that mean nothing do nothing. Any thread. */
bool op_row(const struct mpi_op *op, const struct mpi_type *type, struct op_row *row);
void op_apply_row(uint32_t op, uint32_t row, size_t octets, const void *in, void *inout);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The loops of the predefined operations, for op.c only.
 */
#ifndef REF_IMPL_MPI_COLLECTIVES_OP_LOOPS_H
#define REF_IMPL_MPI_COLLECTIVES_OP_LOOPS_H

#include <stddef.h>

#include "ref-impl/mpi/types/type.h"

enum op_kind {
    OP_MAX,
    OP_MIN,
    OP_SUM,
    OP_PROD,
    OP_LAND,
    OP_BAND,
    OP_LOR,
    OP_BOR,
    OP_LXOR,
    OP_BXOR,
    OP_MAXLOC,
    OP_MINLOC,
    OP_REPLACE, /* this one and the next are of accumulates alone, without loops */
    OP_NONE,
};

enum { OP_KINDS = OP_NONE + 1 };

/* inout[i] = in[i] op inout[i] for `count` elements. */
typedef void op_loop(size_t count, const void *in, void *inout);

/* op_loops_row - the row of a predefined type, or -1: there are no loops for it.
 * op_loops_element - octets of an element of that row in memory; 0: there is no such row. */
int op_loops_row(const struct mpi_type *type);
size_t op_loops_element(int row);

/* op_loops_at - the loop of an operation in a row, or NULL: it has no meaning for its elements [4.9.2]. */
op_loop *op_loops_at(enum op_kind kind, int row);

#endif

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
};

enum { OP_KINDS = OP_MINLOC + 1 };

/* inout[i] = in[i] op inout[i] for `count` elements. */
typedef void op_loop(size_t count, const void *in, void *inout);

/* op_loops_find - the loop of an operation for elements of a type, or NULL: it has no meaning for them [4.9.2]. */
op_loop *op_loops_find(enum op_kind kind, const struct mpi_type *type);

#endif

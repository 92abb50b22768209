/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The octets of elements in memory as runs without gaps, in the order of the type map.
 */
#ifndef REF_IMPL_MPI_TYPES_RUNS_H
#define REF_IMPL_MPI_TYPES_RUNS_H

#include <stdbool.h>
#include <stddef.h>

struct mpi_type;

/* What is done with a run of `octets` at an offset from the buffer; false ends the visits. */
typedef bool run_visit(void *context, ptrdiff_t offset, size_t octets);

/* runs_visit - visits the runs of `count` elements; neighbours that touch are one run. False: a visit ended it. */
bool runs_visit(const struct mpi_type *type, size_t count, run_visit *visit, void *context);

/* runs_pairs - the offsets from the buffer of the pairs in `count` elements of a type that has nothing else; the two
 * members of a pair are of different types. An array to be freed; NULL: memory is used up. */
ptrdiff_t *runs_pairs(const struct mpi_type *type, size_t count, size_t *pairs);

#endif

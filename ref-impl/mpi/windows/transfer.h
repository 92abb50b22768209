/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Put, get and accumulate: chapter 6.3 of MPI-2. Arguments are good: what the target's elements take lies in its part
 * of the window, and both sides have as many octets. Nothing is done before piece_await says so, and until then
 * the buffer must stay. Error classes: MPI_SUCCESS, MPI_ERR_OTHER (no memory).
 */
#ifndef REF_IMPL_MPI_WINDOWS_TRANSFER_H
#define REF_IMPL_MPI_WINDOWS_TRANSFER_H

#include <stddef.h>

struct mpi_type;
struct mpi_win;
struct op_row;
struct request;

/* The buffer of whoever calls. */
struct transfer_origin {
    void *buffer;
    int count;
    struct mpi_type *type;
};

/* The place at the other side: so many octets behind the begin of the window of a rank. */
struct transfer_target {
    struct mpi_win *win;
    int rank;
    ptrdiff_t offset;
    int count;
    struct mpi_type *type;
    struct request *request; /* done when the access is (windows/request.h); or NULL */
};

/* transfer_put - from the origin to the target.
 * transfer_get - from the target to the origin. */
int transfer_put(const struct transfer_origin *origin, const struct transfer_target *target);
int transfer_get(const struct transfer_origin *origin, const struct transfer_target *target);

/* transfer_accumulate - combines each element of the target with one of the origin, each in one step. */
int transfer_accumulate(const struct transfer_origin *origin, const struct transfer_target *target,
                        const struct op_row *operation);

/* transfer_fetch - the same, and what was at the target before goes to the result. `origin` may be NULL where the
 * operation looks at no operands.
 * transfer_swap - one element of the origin takes the place of the target's where that is as the one to compare with,
 * bit by bit; what was there goes to the result either way. The three are of one type. */
int transfer_fetch(const struct transfer_origin *origin, const struct transfer_origin *result,
                   const struct transfer_target *target, const struct op_row *operation);
int transfer_swap(const struct transfer_origin *origin, const void *compare, const struct transfer_origin *result,
                  const struct transfer_target *target);

#endif

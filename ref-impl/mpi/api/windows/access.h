/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the functions that access windows have in common. Each checks everything, at the origin, for a message that
 * leaves the window would be dropped at the target, and nobody would know.
 */
#ifndef REF_IMPL_MPI_API_WINDOWS_ACCESS_H
#define REF_IMPL_MPI_API_WINDOWS_ACCESS_H

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/windows/transfer.h"
#include "ref-impl/mpi/windows/window.h"

/* The arguments that all have, as programs give them. */
struct access_given {
    const void *origin_addr;
    int origin_count;
    MPI_Datatype origin_datatype;
    int target_rank;
    MPI_Aint target_disp;
    int target_count;
    MPI_Datatype target_datatype;
};

/* What they mean. */
struct access {
    struct mpi_call call;
    struct transfer_origin origin, result; /* `result`: where what was at the target comes to */
    struct transfer_target target;
    struct op_row operation;
    const void *compare; /* of MPI_Compare_and_swap */
    bool nothing;        /* is to be done */
    MPI_Request *wanted; /* NULL: no request */
};

/* access_on - begins a call that has no request.
 * access_later - begins one that must have a request. */
void access_on(struct access *access, const char *function, MPI_Win win);
void access_later(struct access *access, const char *function, MPI_Win win, MPI_Request *request);

/* access_check - checks the origin's elements, which are used like this, and the target's.
 * access_check_target - the target alone.
 * access_check_operation - the operation on the elements of both sides, which are of one predefined type in the end;
 * `none`: MPI_NO_OP is good, too, and then the origin is not looked at. */
void access_check(struct access *access, const struct access_given *given, enum address_use use);
void access_check_target(struct access *access, const struct access_given *given);
void access_check_operation(struct access *access, MPI_Op handle, bool none);

/* access_end - what the function returns: does `transfer`, where there is anything to do, and gives the program its
 * request. */
int access_end(struct access *access, int (*transfer)(const struct access *access));

#endif

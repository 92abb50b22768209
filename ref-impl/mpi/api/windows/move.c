/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Put, get and accumulate as programs call them, with a request or without. Chapter 6.3 of MPI-2, 11.3.5 of MPI-3.
 */
#include "ref-impl/mpi/api/windows/access.h"

static int do_put(const struct access *access)
{
    return transfer_put(&access->origin, &access->target);
}

static int put(struct access *access, const struct access_given *given)
{
    access_check(access, given, ADDRESS_READ);
    return access_end(access, do_put);
}

API int MPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_on(&access, "MPI_Put", win);
    return put(&access, &given);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                 MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win,
                 MPI_Request *request)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_later(&access, "MPI_Rput", win, request);
    return put(&access, &given);
}

static int do_get(const struct access *access)
{
    return transfer_get(&access->origin, &access->target);
}

static int get(struct access *access, const struct access_given *given)
{
    access_check(access, given, ADDRESS_WRITE);
    return access_end(access, do_get);
}

API int MPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_on(&access, "MPI_Get", win);
    return get(&access, &given);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                 MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win,
                 MPI_Request *request)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_later(&access, "MPI_Rget", win, request);
    return get(&access, &given);
}

static int do_accumulate(const struct access *access)
{
    return transfer_accumulate(&access->origin, &access->target, &access->operation);
}

static int accumulate(struct access *access, const struct access_given *given, MPI_Op op)
{
    access_check(access, given, ADDRESS_READ);
    access_check_operation(access, op, false);
    return access_end(access, do_accumulate);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                       MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_on(&access, "MPI_Accumulate", win);
    return accumulate(&access, &given, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                        MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                        MPI_Request *request)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_later(&access, "MPI_Raccumulate", win, request);
    return accumulate(&access, &given, op);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Accesses that give what was at the target before: MPI_Get_accumulate, MPI_Fetch_and_op, MPI_Compare_and_swap. Chapter
 * 11.3.4 of MPI-3.
 */
#include "ref-impl/mpi/api/windows/access.h"

static int do_fetch(const struct access *access)
{
    return transfer_fetch(access->origin.type ? &access->origin : NULL, &access->result, &access->target,
                          &access->operation);
}

/* Where the result of a call is to be. */
static void check_result(struct access *access, void *buffer, int count, MPI_Datatype datatype)
{
    struct mpi_call *call = &access->call;
    const struct transfer_target *target = &access->target;

    access->result = (struct transfer_origin){buffer, count, call_type(call, datatype)};
    call_count(call, count, "result_count");
    if (access->nothing) {
        return;
    }
    call_buffer(call, buffer, count, access->result.type, ADDRESS_WRITE);
    if (call->code == MPI_SUCCESS && type_octets(access->result.type, (size_t)count, TYPE_NATIVE) !=
                                         type_octets(target->type, (size_t)target->count, TYPE_NATIVE)) {
        call_fail(call, MPI_ERR_TYPE, "the result and the target's elements differ in octets");
    }
}

/* With MPI_NO_OP nothing is said of the origin. */
static int fetch(struct access *access, const struct access_given *given, const struct transfer_origin *result,
                 MPI_Datatype result_datatype, MPI_Op op)
{
    if (op == MPI_NO_OP) {
        access_check_target(access, given);
    } else {
        access_check(access, given, ADDRESS_READ);
    }
    check_result(access, result->buffer, result->count, result_datatype);
    access_check_operation(access, op, true);
    return access_end(access, do_fetch);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                           int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                           int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_on(&access, "MPI_Get_accumulate", win);
    return fetch(&access, &given, &(struct transfer_origin){result_addr, result_count, NULL}, result_datatype, op);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
                            int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                            int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
                            MPI_Request *request)
{
    const struct access_given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                       target_disp, target_count, target_datatype};
    struct access access;

    access_later(&access, "MPI_Rget_accumulate", win, request);
    return fetch(&access, &given, &(struct transfer_origin){result_addr, result_count, NULL}, result_datatype, op);
}

/* One element of a predefined type. */
static void check_element(struct access *access, MPI_Datatype datatype)
{
    const struct mpi_type *type = call_type(&access->call, datatype);

    if (type && !type_is_predefined(type)) {
        call_fail(&access->call, MPI_ERR_TYPE, "the datatype is not predefined");
    }
}

API int MPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
                         MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
    const struct access_given given = {origin_addr, 1, datatype, target_rank, target_disp, 1, datatype};
    struct access access;

    access_on(&access, "MPI_Fetch_and_op", win);
    check_element(&access, datatype);
    return fetch(&access, &given, &(struct transfer_origin){result_addr, 1, NULL}, datatype, op);
}

static int do_swap(const struct access *access)
{
    return transfer_swap(&access->origin, access->compare, &access->result, &access->target);
}

API int MPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                             MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win)
{
    const struct access_given given = {origin_addr, 1, datatype, target_rank, target_disp, 1, datatype};
    struct access access;

    access_on(&access, "MPI_Compare_and_swap", win);
    check_element(&access, datatype);
    access_check(&access, &given, ADDRESS_READ);
    check_result(&access, result_addr, 1, datatype);
    access.compare = compare_addr;
    if (!access.nothing) {
        call_buffer(&access.call, compare_addr, 1, access.origin.type, ADDRESS_READ);
    }
    if (access.call.code == MPI_SUCCESS && !op_takes(op_find(MPI_BAND), access.origin.type) &&
        !op_takes(op_find(MPI_LAND), access.origin.type)) {
        call_fail(&access.call, MPI_ERR_TYPE, "only integers, logicals and octets are compared and swapped");
    }
    return access_end(&access, do_swap);
}

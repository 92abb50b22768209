/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Put, get and accumulate as programs call them. Chapter 6.3 of MPI-2. Checks everything here, at the origin, for a
 * message that leaves the window would be dropped at the target, and nobody would know.
 */
#include <stdint.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/windows/transfer.h"
#include "ref-impl/mpi/windows/window.h"

/* The arguments that all have, as programs give them. */
struct given {
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
    struct transfer_origin origin;
    struct transfer_target target;
    bool nothing; /* is to be done */
};

static void check_rank(struct access *access, int rank)
{
    struct mpi_call *call = &access->call;
    int count = call->code == MPI_SUCCESS ? call->comm->local->count : 0;

    if (call->code == MPI_SUCCESS && rank == MPI_PROC_NULL) {
        access->nothing = true;
    } else if (call->code == MPI_SUCCESS && (rank < 0 || rank >= count)) {
        call_fail(call, MPI_ERR_RANK, "target_rank %d is not in 0 .. %d", rank, count - 1);
    } else if (call->code == MPI_SUCCESS && !call->win->fenced && !call->win->part[rank].may_access) {
        call_fail(call, MPI_ERR_RMA_SYNC,
                  "no epoch is open for rank %d; call MPI_Win_fence, MPI_Win_start or MPI_Win_lock", rank);
    } else if (call->code == MPI_SUCCESS) {
        call->win->fence_used = call->win->fenced;
    }
}

/* Where in the window of the target its elements are. */
//= PUMA-127
static void check_place(struct access *access, MPI_Aint disp)
{
    struct mpi_call *call = &access->call;
    struct transfer_target *target = &access->target;
    ptrdiff_t from, to, begin, end;
    const struct window_part *part;

    if (call->code != MPI_SUCCESS || access->nothing) {
        return;
    }
    part = &call->win->part[target->rank];
    if (!type_range(target->type, (size_t)target->count, &from, &to) ||
        __builtin_mul_overflow(disp, (ptrdiff_t)part->disp_unit, &target->offset) ||
        __builtin_add_overflow(target->offset, from, &begin) || __builtin_add_overflow(target->offset, to, &end)) {
        call_fail(call, MPI_ERR_DISP, "target_disp and the target's elements are larger than memory");
    } else if (from < to && (disp < 0 || begin < 0 || end > part->size)) {
        call_fail(call, MPI_ERR_DISP, "octets %td .. %td of the window of rank %d, which has %td", begin, end - 1,
                  target->rank, part->size);
    }
}

static void check(struct access *access, const struct given *given, enum address_use use)
{
    struct mpi_call *call = &access->call;
    struct transfer_origin *origin = &access->origin;
    struct transfer_target *target = &access->target;
    size_t sent, taken;

    *origin = (struct transfer_origin){(void *)(uintptr_t)given->origin_addr, given->origin_count,
                                       call_type(call, given->origin_datatype)};
    *target = (struct transfer_target){.win = call->win,
                                       .rank = given->target_rank,
                                       .count = given->target_count,
                                       .type = call_type(call, given->target_datatype)};
    call_count(call, origin->count, "origin_count");
    call_count(call, target->count, "target_count");
    check_rank(access, target->rank);
    if (!access->nothing) {
        call_buffer(call, origin->buffer, origin->count, origin->type, use);
    }
    check_place(access, given->target_disp);
    if (call->code != MPI_SUCCESS || access->nothing) {
        return;
    }
    sent = type_octets(origin->type, (size_t)origin->count, TYPE_NATIVE);
    taken = type_octets(target->type, (size_t)target->count, TYPE_NATIVE);
    if (sent != taken) {
        call_fail(call, MPI_ERR_TYPE, "the origin has %zu octets, the target %zu", sent, taken);
    }
    access->nothing = sent == 0;
}

/* Whether there is anything to do in a call that is good. */
static bool is_due(const struct access *access)
{
    return access->call.code == MPI_SUCCESS && !access->nothing;
}

API int MPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct access access = {.call = call_on_window("MPI_Put", win)};
    const struct given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype};

    check(&access, &given, ADDRESS_READ);
    return is_due(&access) ? call_end_with(&access.call, transfer_put(&access.origin, &access.target))
                           : call_end(&access.call);
}

API int MPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win)
{
    struct access access = {.call = call_on_window("MPI_Get", win)};
    const struct given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype};

    check(&access, &given, ADDRESS_WRITE);
    return is_due(&access) ? call_end_with(&access.call, transfer_get(&access.origin, &access.target))
                           : call_end(&access.call);
}

/* The operation on the elements of both sides, which are of one predefined type in the end. */
static void check_operation(struct access *access, MPI_Op handle, struct op_row *row)
{
    struct mpi_call *call = &access->call;
    struct mpi_op *op = call->code == MPI_SUCCESS ? op_find(handle) : NULL;
    const struct mpi_type *leaf = op ? type_leaf(access->target.type) : NULL;

    if (!op) {
        call_fail(call, MPI_ERR_OP, "%s",
                  handle == MPI_OP_NULL ? "the operation is MPI_OP_NULL" : "the operation is none, or has been freed");
    } else if (!op_is_predefined(op)) {
        call_fail(call, MPI_ERR_OP, "the operation is the program's own; only predefined ones accumulate");
    } else if (!leaf || type_leaf(access->origin.type) != leaf) {
        call_fail(call, MPI_ERR_TYPE, "the elements of origin and target are not all of one predefined type");
    } else if (!op_row(op, leaf, row)) {
        call_fail(call, MPI_ERR_OP, "the operation has no meaning for the datatype");
    } else if (type_octets(leaf, 1, TYPE_NATIVE) < row->element &&
               (access->origin.type != leaf || access->target.type != leaf)) {
        call_fail(call, MPI_ERR_TYPE, "pairs with gaps accumulate in their own type only, not in one made of it");
    }
}

API int MPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
                       MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    struct access access = {.call = call_on_window("MPI_Accumulate", win)};
    const struct given given = {origin_addr, origin_count, origin_datatype, target_rank,
                                target_disp, target_count, target_datatype};
    struct op_row row;

    check(&access, &given, ADDRESS_READ);
    if (is_due(&access)) {
        check_operation(&access, op, &row);
    }
    return is_due(&access) ? call_end_with(&access.call, transfer_accumulate(&access.origin, &access.target, &row))
                           : call_end(&access.call);
}

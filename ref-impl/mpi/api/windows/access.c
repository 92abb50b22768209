/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checks of accesses to windows, and their ends: see access.h.
 */
#include "ref-impl/mpi/api/windows/access.h"

#include <stdint.h>

#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/messages/p2p_request.h"
#include "ref-impl/mpi/windows/piece.h"
#include "ref-impl/mpi/windows/request.h"

/* Only what is looked at before it is set: to clear all of it, and to pass it by value, takes as long as the checks. */
void access_on(struct access *access, const char *function, MPI_Win win)
{
    access->call = call_on_window(function, win);
    access->origin.type = access->result.type = NULL;
    access->nothing = false;
    access->wanted = NULL;
}

void access_later(struct access *access, const char *function, MPI_Win win, MPI_Request *request)
{
    access_on(access, function, win);
    access->wanted = request;
    call_output(&access->call, request, "request");
}

/* Whether an epoch is open in which the rank may be accessed; one with a request needs a lock. */
static bool is_open(const struct access *access, int rank)
{
    const struct mpi_win *win = access->call.win;

    return access->wanted ? win->part[rank].locked : win->fenced || win->part[rank].may_access;
}

static void check_rank(struct access *access, int rank)
{
    struct mpi_call *call = &access->call;
    int count = call->code == MPI_SUCCESS ? call->comm->local->count : 0;

    if (call->code == MPI_SUCCESS && rank == MPI_PROC_NULL) {
        access->nothing = true;
    } else if (call->code == MPI_SUCCESS && (rank < 0 || rank >= count)) {
        call_fail(call, MPI_ERR_RANK, "target_rank %d is not in 0 .. %d", rank, count - 1);
    } else if (call->code == MPI_SUCCESS && !is_open(access, rank)) {
        call_fail(call, MPI_ERR_RMA_SYNC, "no epoch is open for rank %d; call %s", rank,
                  access->wanted ? "MPI_Win_lock or MPI_Win_lock_all" : "MPI_Win_fence, MPI_Win_start or MPI_Win_lock");
    } else if (call->code == MPI_SUCCESS) {
        call->win->fence_used = call->win->fenced;
    }
}

/* Where in the window of the target its elements are; in a dynamic window, which addresses the target must look at. */
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
    } else if (from < to && call->win->flavor != MPI_WIN_FLAVOR_DYNAMIC &&
               (disp < 0 || begin < 0 || end > part->size)) {
        call_fail(call, MPI_ERR_DISP, "octets %td .. %td of the window of rank %d, which has %td", begin, end - 1,
                  target->rank, part->size);
    }
}

void access_check_target(struct access *access, const struct access_given *given)
{
    struct mpi_call *call = &access->call;
    struct transfer_target *target = &access->target;

    *target = (struct transfer_target){.win = call->win,
                                       .rank = given->target_rank,
                                       .count = given->target_count,
                                       .type = call_type(call, given->target_datatype)};
    call_count(call, target->count, "target_count");
    check_rank(access, target->rank);
    check_place(access, given->target_disp);
    if (call->code == MPI_SUCCESS && !access->nothing) {
        access->nothing = type_octets(target->type, (size_t)target->count, TYPE_NATIVE) == 0;
    }
}

void access_check(struct access *access, const struct access_given *given, enum address_use use)
{
    struct mpi_call *call = &access->call;
    struct transfer_origin *origin = &access->origin;
    const struct transfer_target *target = &access->target;
    size_t sent, taken;

    *origin = (struct transfer_origin){(void *)(uintptr_t)given->origin_addr, given->origin_count,
                                       call_type(call, given->origin_datatype)};
    call_count(call, origin->count, "origin_count");
    access_check_target(access, given);
    if (given->target_rank == MPI_PROC_NULL) {
        return;
    }
    call_buffer(call, origin->buffer, origin->count, origin->type, use);
    if (call->code != MPI_SUCCESS) {
        return;
    }
    sent = type_octets(origin->type, (size_t)origin->count, TYPE_NATIVE);
    taken = type_octets(target->type, (size_t)target->count, TYPE_NATIVE);
    if (sent != taken) {
        call_fail(call, MPI_ERR_TYPE, "the origin has %zu octets, the target %zu", sent, taken);
    }
}

/* Whether there is anything to do in a call that is good. */
static bool is_due(const struct access *access)
{
    return access->call.code == MPI_SUCCESS && !access->nothing;
}

void access_check_operation(struct access *access, MPI_Op handle, bool none)
{
    struct mpi_call *call = &access->call;
    struct mpi_op *op = is_due(access) ? op_find(handle) : NULL;
    const struct mpi_type *leaf = op ? type_leaf(access->target.type) : NULL;
    const struct mpi_type *origin = access->origin.type, *result = access->result.type;
    bool of_none = none && handle == MPI_NO_OP;

    if (!is_due(access)) {
        return;
    }
    if (!op) {
        call_fail(call, MPI_ERR_OP, "%s",
                  handle == MPI_OP_NULL ? "the operation is MPI_OP_NULL" : "the operation is none, or has been freed");
    } else if (!op_is_predefined(op)) {
        call_fail(call, MPI_ERR_OP, "the operation is the program's own; only predefined ones accumulate");
    } else if (handle == MPI_NO_OP && !none) {
        call_fail(call, MPI_ERR_OP, "MPI_NO_OP is for functions that fetch");
    } else if (!leaf || (!of_none && type_leaf(origin) != leaf) || (result && type_leaf(result) != leaf)) {
        call_fail(call, MPI_ERR_TYPE, "the elements of all sides are not of one predefined type");
    } else if (!op_row(op, leaf, &access->operation)) {
        call_fail(call, MPI_ERR_OP, "the operation has no meaning for the datatype");
    }
}

int access_end(struct access *access, int (*transfer)(const struct access *access))
{
    struct request *request = NULL;
    int code = MPI_SUCCESS;

    if (access->call.code == MPI_SUCCESS && access->wanted &&
        !(request = windows_request_new(access->call.win, piece_look))) {
        return call_end_with(&access->call, MPI_ERR_OTHER);
    }
    access->target.request = request;
    if (is_due(access)) {
        code = transfer(access);
    } else {
        windows_request_done(request);
    }
    if (code != MPI_SUCCESS) {
        windows_request_drop(request);
        return call_end_with(&access->call, code);
    }
    if (request) {
        api_request_name(&access->call, request, access->wanted);
        if (access->call.code != MPI_SUCCESS) {
            p2p_abandon(request);
        }
    }
    return call_end(&access->call);
}

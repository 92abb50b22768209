/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * New communicators from one: MPI_Comm_dup, MPI_Comm_idup, MPI_Comm_create, MPI_Comm_split; and MPI_Comm_free.
 * Chapter 5.4 of MPI, chapters 4.4 to 4.7 of IMPI. All processes of the old communicator agree on a context id first
 * (contexts/context.c), also those that the new one will not have.
 */
#include <stdlib.h>

#include "ref-impl/mpi/api/attr.h"
#include "ref-impl/mpi/api/collectives/collective.h"
#include "ref-impl/mpi/api/comm_inter.h"
#include "ref-impl/mpi/collectives/between.h"
#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/common/handle.h"
#include "ref-impl/mpi/communicators/topology.h"
#include "ref-impl/mpi/contexts/context.h"

/* Says why processes could not agree on a context id. */
static void check_agreed(struct mpi_call *call, int code)
{
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "no context id could be agreed on; they may be used up");
    }
}

/* A copy of the call's communicator with other contexts, and its handle. NULL once the call has failed. */
static struct mpi_comm *copy_of(struct mpi_call *call, struct comm_context context, MPI_Comm *newcomm)
{
    struct attr_owner attributes = attr_of_comm(call->comm);
    struct mpi_comm *made = comm_new(context, call->comm->local, call->comm->remote, call->comm);
    MPI_Comm handle = MPI_COMM_NULL;
    int code;

    if (made) {
        topology_hold(made->topology = call->comm->topology);
    }
    call_name(call, made, &handle);
    if (call->code != MPI_SUCCESS) {
        return NULL;
    }
    code = attr_copy_all(&attributes, &made->attributes.own);
    if (code != MPI_SUCCESS) {
        handle_free(HANDLE_COMM, handle);
        comm_release(made);
        call_fail(call, code, "a copy function of an attribute failed");
        return NULL;
    }
    *newcomm = handle;
    return made;
}

/* Agrees with the others, and copies. */
static void duplicate(struct mpi_call *call, MPI_Comm *newcomm)
{
    struct comm_context context;

    check_agreed(call, call->comm->remote ? comm_inter_agree(call->comm, &context)
                                          : comm_context_agree(call->comm, &context));
    if (call->code == MPI_SUCCESS) {
        (void)copy_of(call, context, newcomm);
    }
}

API int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_dup", comm);

    call_output(&call, newcomm, "newcomm");
    if (call.code == MPI_SUCCESS) {
        duplicate(&call, newcomm);
    }
    return call_end(&call);
}

static int settle(struct mpi_comm *comm, void *made)
{
    return comm_context_settle(comm, made);
}

static void release_made(void *made)
{
    comm_release(made);
}

/* What is done already. */
static int nothing_left(struct mpi_comm *comm, void *made)
{
    (void)comm;
    (void)made;
    return MPI_SUCCESS;
}

/* Between clients it waits for the other processes all the same: IMPI has context ids agreed on in one exchange, one
 * pair after the other. */
API int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    struct mpi_call call = call_later("MPI_Comm_idup", comm, request);
    struct mpi_comm *made;

    call_output(&call, newcomm, "newcomm");
    if (call.code == MPI_SUCCESS && !call.comm->native) {
        duplicate(&call, newcomm);
        return call.code == MPI_SUCCESS ? api_later_end(&call, nothing_left, release_made, NULL) : call_end(&call);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    made = copy_of(&call, comm_self()->context, newcomm);
    if (!made) {
        return call_end(&call);
    }
    comm_hold(made);
    return api_later_end(&call, settle, release_made, made);
}

/* Whether all of a group are in another. */
static bool is_within(const struct mpi_group *part, const struct mpi_group *whole)
{
    for (int rank = 0; rank < part->count; rank++) {
        if (group_rank_of(whole, part->world[rank]) == MPI_UNDEFINED) {
            return false;
        }
    }
    return true;
}

/* What each process says in MPI_Comm_split; three MPI_INT on their way. */
struct split_wish {
    int color, key, rank;
};

static int compare_wishes(const void *left, const void *right)
{
    const struct split_wish *a = left, *b = right;

    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1; //= IMPI-199
    }
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* The wishes of all processes, to be freed. NULL: `*code` says why. */
static struct split_wish *gather_wishes(struct mpi_comm *comm, struct split_wish own, int *code)
{
    struct split_wish *wishes = calloc((size_t)comm->local->count, sizeof(*wishes));
    struct mpi_type *number = type_find(MPI_INT);

    *code = MPI_ERR_OTHER;
    if (wishes) {
        *code = coll_allgather(comm, &(struct coll_data){&own, 3, number},
                               &(struct coll_blocks){.buffer = wishes, .count = 3, .type = number}); //= IMPI-198
    }
    if (*code != MPI_SUCCESS) {
        free(wishes);
        return NULL;
    }
    /* Whose wish it is, is known by its place; what others say of it is not trusted. */
    for (int rank = 0; rank < comm->local->count; rank++) {
        wishes[rank].rank = rank;
    }
    /* Nor is what others say of ours: without it this process would not be in its own group. */
    wishes[comm->rank] = own;
    return wishes;
}

/* The group of those who have wished for a color, in their order. Overwrites the wishes. */
static struct mpi_group *group_of_color(const struct mpi_group *of, struct split_wish *wishes, int color)
{
    int *world = malloc((size_t)of->count * sizeof(*world));
    struct mpi_group *group = NULL;
    int count = 0;

    for (int rank = 0; rank < of->count; rank++) {
        if (wishes[rank].color == color) {
            wishes[count++] = wishes[rank];
        }
    }
    qsort(wishes, (size_t)count, sizeof(*wishes), compare_wishes);
    for (int i = 0; world && i < count; i++) {
        world[i] = of->world[wishes[i].rank];
    }
    if (world) {
        group = group_new(world, count);
    }
    free(world);
    return group;
}

/* The wishes of both groups of an intercommunicator: first what the others say, then what they have heard. */
static int trade_wishes(struct mpi_comm *comm, const struct split_wish *own, struct split_wish *ours,
                        struct split_wish *theirs)
{
    const struct mpi_group *local = comm->local, *remote = comm->remote;
    struct mpi_type *number = type_find(MPI_INT);
    struct coll_data heard = {theirs, 3 * remote->count, number}, told = {ours, 3 * local->count, number};
    struct split_wish copy = *own;
    bool first = local->world[0] < remote->world[0];
    int root = comm->rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    int code = between_allgather(comm, &(struct coll_data){&copy, 3, number},
                                 &(struct coll_blocks){.buffer = theirs, .count = 3, .type = number});

    for (int turn = 0; code == MPI_SUCCESS && turn < 2; turn++) {
        code = (turn == 0) == first ? between_bcast(comm, &heard, root) : between_bcast(comm, &told, 0);
    }
    for (int rank = 0; rank < remote->count; rank++) {
        theirs[rank].rank = rank;
    }
    for (int rank = 0; rank < local->count; rank++) {
        ours[rank].rank = rank;
    }
    ours[comm->rank] = (struct split_wish){own->color, own->key, comm->rank};
    return code;
}

/* An intercommunicator of those with the same color in both groups, of MPI-2 (7.2): none where one group has nobody. */
static void split_between(struct mpi_call *call, struct split_wish own, MPI_Comm *newcomm)
{
    struct mpi_comm *comm = call->comm;
    struct split_wish *ours = calloc((size_t)comm->local->count, sizeof(*ours));
    struct split_wish *theirs = calloc((size_t)comm->remote->count, sizeof(*theirs));
    struct mpi_group *local = NULL, *remote = NULL;
    struct comm_context context;

    if (!ours || !theirs) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
        goto release;
    }
    check_agreed(call, comm_inter_agree(comm, &context));
    if (call->code == MPI_SUCCESS && trade_wishes(comm, &own, ours, theirs) != MPI_SUCCESS) {
        call_fail(call, MPI_ERR_OTHER, "colors and keys could not be exchanged");
    }
    if (call->code != MPI_SUCCESS) {
        goto release;
    }
    *newcomm = MPI_COMM_NULL;
    if (own.color != MPI_UNDEFINED) {
        local = group_of_color(comm->local, ours, own.color);
        remote = group_of_color(comm->remote, theirs, own.color);
        if (!local || !remote || remote->count > 0) {
            call_name(call, local && remote ? comm_new(context, local, remote, comm) : NULL, newcomm);
        }
    }
release:
    group_release(local);
    group_release(remote);
    free(ours);
    free(theirs);
}

API int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_create", comm);
    struct mpi_group *members = call_group(&call, group);
    struct comm_context context;

    call_output(&call, newcomm, "newcomm");
    if (call.code == MPI_SUCCESS && !is_within(members, call.comm->local)) {
        call_fail(&call, MPI_ERR_GROUP, "the group has members that comm has not");
    }
    if (call.code == MPI_SUCCESS && call.comm->remote) {
        split_between(&call, (struct split_wish){members->rank == MPI_UNDEFINED ? MPI_UNDEFINED : 0, members->rank, 0},
                      newcomm);
        return call_end(&call);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    check_agreed(&call, comm_context_agree(call.comm, &context)); //= IMPI-192
    if (call.code == MPI_SUCCESS && members->rank == MPI_UNDEFINED) {
        *newcomm = MPI_COMM_NULL;
    } else if (call.code == MPI_SUCCESS) {
        call_name(&call, comm_new(context, members, NULL, call.comm), newcomm);
    }
    return call_end(&call);
}

API int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_split", comm);
    struct split_wish *wishes = NULL;
    struct mpi_group *group = NULL;
    struct comm_context context;
    int code = MPI_SUCCESS;

    call_output(&call, newcomm, "newcomm");
    if (color < 0 && color != MPI_UNDEFINED) {
        call_fail(&call, MPI_ERR_ARG, "color is %d, neither MPI_UNDEFINED nor at least 0", color);
    }
    if (call.code == MPI_SUCCESS && call.comm->remote) {
        split_between(&call, (struct split_wish){color, key, 0}, newcomm);
        return call_end(&call);
    }
    if (call.code == MPI_SUCCESS) {
        check_agreed(&call, comm_context_agree(call.comm, &context)); //= IMPI-198
    }
    if (call.code == MPI_SUCCESS) {
        wishes = gather_wishes(call.comm, (struct split_wish){color, key, call.comm->rank}, &code);
        if (code != MPI_SUCCESS) {
            call_fail(&call, code, "colors and keys could not be exchanged");
        }
    }
    if (call.code == MPI_SUCCESS && color == MPI_UNDEFINED) {
        *newcomm = MPI_COMM_NULL; //= IMPI-200
    } else if (call.code == MPI_SUCCESS) {
        group = group_of_color(call.comm->local, wishes, color);
        call_name(&call, group ? comm_new(context, group, NULL, call.comm) : NULL, newcomm);
    }
    group_release(group);
    free(wishes);
    return call_end(&call);
}

/* Waits until all processes of a communicator free it, as IMPI demands between clients. Within a client nobody waits:
 * the standard allows it, and a program may complete what it has begun on the communicator after it has freed it. */
static int wait_for_others(struct mpi_comm *comm)
{
    if (comm->native) {
        return MPI_SUCCESS;
    }
    return comm->remote ? comm_inter_barrier(comm) : coll_barrier(comm); //= IMPI-193
}

/* The end of a communicator that may be freed. */
static void free_comm(struct mpi_call *call)
{
    struct attr_owner attributes = attr_of_comm(call->comm);
    int code = attr_delete_all(&attributes);

    if (code != MPI_SUCCESS) {
        call_fail(call, code, "a delete function of an attribute failed");
        return;
    }
    code = wait_for_others(call->comm);
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "not all processes of comm could be heard");
        return;
    }
    handle_free(HANDLE_COMM, call->comm->handle);
    comm_release(call->comm);
}

API int MPI_Comm_free(MPI_Comm *comm)
{
    struct mpi_call call = call_on("MPI_Comm_free", comm ? *comm : MPI_COMM_WORLD);

    call_output(&call, comm, "comm");
    if (call.code == MPI_SUCCESS && (call.comm == comm_world() || call.comm == comm_self())) {
        call_fail(&call, MPI_ERR_COMM, "MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed");
    }
    if (call.code == MPI_SUCCESS) {
        free_comm(&call);
    }
    if (call.code == MPI_SUCCESS && comm) {
        *comm = MPI_COMM_NULL;
    }
    return call_end(&call);
}

/* What a program has begun on the communicator it must have completed before, so that nothing is left to wait for. */
RENAMED(MPI_Comm_disconnect, MPI_Comm_free);

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Intercommunicators: making one from two intracommunicators, and one intracommunicator from it. Chapter 5.6 of MPI,
 * chapters 4.5, 4.6, 4.8 and 4.9 of IMPI; the messages are those printed there.
 */
#include "ref-impl/mpi/comm_inter.h"

#include <limits.h>
#include <stdlib.h>

#include "ref-impl/mpi/call.h"
#include "ref-impl/mpi/coll.h"
#include "ref-impl/mpi/comm_context.h"
#include "ref-impl/mpi/p2p.h"
#include "ref-impl/mpi/world.h"

enum tag { TAG_DUP = 210, TAG_MERGE = 220, TAG_FREE = 230 }; //= IMPI-238

/* Values of 8 octets, as IMPI_UINT8 of the document. */
static struct p2p_message values(struct mpi_comm *comm, int peer, int tag, unsigned long long *value, int count)
{
    return (struct p2p_message){comm, false, peer, tag, value, count, type_find(MPI_UNSIGNED_LONG_LONG)};
}

static int send_values(struct mpi_comm *comm, int peer, int tag, unsigned long long *value, int count)
{
    struct p2p_message message = values(comm, peer, tag, value, count);

    return p2p_send(&message, P2P_STANDARD);
}

static int receive_values(struct mpi_comm *comm, int peer, int tag, unsigned long long *value, int count)
{
    struct p2p_message message = values(comm, peer, tag, value, count);

    return p2p_receive(&message, NULL);
}

static int trade_values(struct mpi_comm *comm, int tag, unsigned long long *out, unsigned long long *in, int count)
{
    struct p2p_message sent = values(comm, 0, tag, out, count), received = values(comm, 0, tag, in, count);

    return p2p_exchange(&sent, &received, NULL);
}

/* The part of a leader up to the exchange: hears the remote members, raising `*highest` to the highest of theirs. With
 * `count` 0 only that they are there. */
static int hear_members(struct mpi_comm *comm, int tag, int count, unsigned long long *highest)
{
    unsigned long long value = 0;
    int code = MPI_SUCCESS;

    for (int rank = 1; rank < comm->remote->count && code == MPI_SUCCESS; rank++) {
        code = receive_values(comm, rank, tag, &value, count);
        *highest = value > *highest ? value : *highest;
    }
    return code;
}

static int tell_members(struct mpi_comm *comm, int tag, unsigned long long *value, int count)
{
    int code = MPI_SUCCESS;

    for (int rank = 1; rank < comm->remote->count && code == MPI_SUCCESS; rank++) {
        code = send_values(comm, rank, tag, value, count);
    }
    return code;
}

int comm_inter_barrier(struct mpi_comm *comm)
{
    unsigned long long none = 0;
    int code;

    if (comm->rank > 0) {
        code = send_values(comm, 0, TAG_FREE, NULL, 0); //= IMPI-194
        return code == MPI_SUCCESS ? receive_values(comm, 0, TAG_FREE, NULL, 0) : code;
    }
    code = hear_members(comm, TAG_FREE, 0, &none);
    if (code == MPI_SUCCESS) {
        code = trade_values(comm, TAG_FREE, NULL, NULL, 0); //= IMPI-195
    }
    return code == MPI_SUCCESS ? tell_members(comm, TAG_FREE, NULL, 0) : code;
}

int comm_inter_agree(struct mpi_comm *comm, struct comm_context *context)
{
    unsigned long long highest = comm_context_offer(), theirs = 0;
    int code;

    if (comm->rank > 0) {
        code = send_values(comm, 0, TAG_DUP, &highest, 1); //= IMPI-196
        code = code == MPI_SUCCESS ? receive_values(comm, 0, TAG_DUP, &highest, 1) : code;
        return code == MPI_SUCCESS ? comm_context_take(highest, comm->local, comm->remote, context) : code;
    }
    code = hear_members(comm, TAG_DUP, 1, &highest);
    if (code == MPI_SUCCESS) {
        code = trade_values(comm, TAG_DUP, &highest, &theirs, 1); //= IMPI-197
    }
    highest = theirs > highest ? theirs : highest;
    if (code == MPI_SUCCESS) {
        code = tell_members(comm, TAG_DUP, &highest, 1);
    }
    return code == MPI_SUCCESS ? comm_context_take(highest, comm->local, comm->remote, context) : code;
}

/* Two groups that find each other: what MPI_Intercomm_create is given, and what it learns. */
struct meeting {
    struct mpi_comm *local, *peer; /* the leader alone looks at `peer` */
    int leader, remote_leader, tag;
    uint64_t highest; /* context id of all */
    int *remote;      /* ranks in the world, to be freed */
    int remote_count;
};

/* The leaders trade some numbers on the peer communicator. */
static int trade_with_leader(const struct meeting *meeting, struct coll_data out, struct coll_data in)
{
    const struct p2p_message sent = {meeting->peer, false,   meeting->remote_leader, meeting->tag, out.buffer,
                                     out.count,     out.type};
    const struct p2p_message received = {meeting->peer, false,  meeting->remote_leader, meeting->tag, in.buffer,
                                         in.count,      in.type};

    return p2p_exchange(&sent, &received, NULL);
}

/* The highest context id, and how many there are on the other side. */
static int meet_sizes(struct meeting *meeting)
{
    struct mpi_type *number = type_find(MPI_UNSIGNED_LONG_LONG);
    bool leads = meeting->local->rank == meeting->leader;
    unsigned long long offer = comm_context_offer();
    unsigned long long mine[2] = {offer, (unsigned)meeting->local->local->count}, theirs[2] = {0, 0};
    int code = coll_reduce(meeting->local, &(struct coll_reduction){&offer, &mine[0], 1, number, op_find(MPI_MAX)},
                           meeting->leader); //= IMPI-201

    if (code == MPI_SUCCESS && leads) {
        //= IMPI-202
        //= IMPI-203
        code = trade_with_leader(meeting, (struct coll_data){mine, 2, number}, (struct coll_data){theirs, 2, number});
        theirs[0] = mine[0] > theirs[0] ? mine[0] : theirs[0];
    }
    if (code == MPI_SUCCESS) {
        code = coll_bcast(meeting->local, &(struct coll_data){theirs, 2, number}, meeting->leader); //= IMPI-204
    }
    if (code == MPI_SUCCESS && (theirs[1] == 0 || theirs[1] > (unsigned)world_now()->size)) {
        return MPI_ERR_OTHER;
    }
    meeting->highest = theirs[0];
    meeting->remote_count = (int)theirs[1];
    return code;
}

/* Who they are. */
static int meet_members(struct meeting *meeting)
{
    const struct mpi_group *group = meeting->local->local;
    struct mpi_type *number = type_find(MPI_INT);
    struct coll_data theirs = {NULL, meeting->remote_count, number};
    int code = MPI_SUCCESS;

    theirs.buffer = meeting->remote = calloc((size_t)meeting->remote_count, sizeof(*meeting->remote));
    if (!meeting->remote) {
        return MPI_ERR_OTHER;
    }
    if (meeting->local->rank == meeting->leader) {
        struct coll_data mine = {(void *)(uintptr_t)group->world, group->count, number};

        code = trade_with_leader(meeting, mine, theirs); //= IMPI-205
    }
    if (code == MPI_SUCCESS) {
        code = coll_bcast(meeting->local, &theirs, meeting->leader);
    }
    for (int i = 0; code == MPI_SUCCESS && i < meeting->remote_count; i++) {
        if (meeting->remote[i] < 0 || meeting->remote[i] >= world_now()->size) {
            code = MPI_ERR_OTHER; /* what came is no list of ranks */
        }
    }
    return code;
}

/* All of it: a communicator of both groups, or NULL for want of memory. */
static int meet(struct meeting *meeting, struct mpi_comm **made)
{
    struct mpi_group *local = meeting->local->local, *remote = NULL;
    struct comm_context context;
    int code = meet_sizes(meeting);

    code = code == MPI_SUCCESS ? meet_members(meeting) : code;
    if (code == MPI_SUCCESS) {
        remote = group_new(meeting->remote, meeting->remote_count);
        code = remote ? comm_context_take(meeting->highest, local, remote, &context) : MPI_ERR_OTHER;
    }
    *made = code == MPI_SUCCESS ? comm_new(context, local, remote, meeting->local) : NULL;
    group_release(remote);
    free(meeting->remote);
    return code;
}

/* What the leader has to give beside. */
static void check_leader(struct mpi_call *call, MPI_Comm peer, struct meeting *meeting)
{
    if (call->code != MPI_SUCCESS || call->comm->rank != meeting->leader) {
        return;
    }
    meeting->peer = comm_find(peer);
    if (!meeting->peer) {
        call_fail(call, MPI_ERR_COMM, "peer_comm is no communicator");
    } else if (meeting->remote_leader < 0 || meeting->remote_leader >= comm_peers(meeting->peer)->count) {
        call_fail(call, MPI_ERR_RANK, "remote_leader %d is not in 0 .. %d", meeting->remote_leader,
                  comm_peers(meeting->peer)->count - 1);
    }
}

API int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                             MPI_Comm *newintercomm)
{
    struct mpi_call call = call_on("MPI_Intercomm_create", local_comm);
    struct meeting meeting = {call.comm, NULL, local_leader, remote_leader, tag, 0, NULL, 0};
    struct mpi_comm *made = NULL;
    int code;

    call_intra(&call);
    call_root(&call, local_leader);
    call_output(&call, newintercomm, "newintercomm");
    check_leader(&call, peer_comm, &meeting);
    if (call.code == MPI_SUCCESS && (tag < 0 || tag > world_now()->tag_ub)) {
        call_fail(&call, MPI_ERR_TAG, "tag %d is not in 0 .. %d", tag, world_now()->tag_ub);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = meet(&meeting, &made);
    if (code != MPI_SUCCESS) {
        call_fail(&call, code, "the two groups could not agree");
    } else {
        call_name(&call, made, newintercomm);
    }
    return call_end(&call);
}

/* Both groups say which of them shall come first, and agree on a context id. Stores what the remote group says. */
static int merge_agree(struct mpi_comm *comm, int high, int *remote_high, struct comm_context *context)
{
    unsigned long long mine[2] = {comm_context_offer(), high != 0}, theirs[2] = {0, 0};
    int code;

    if (comm->rank > 0) {
        code = send_values(comm, 0, TAG_MERGE, mine, 1); //= IMPI-206
        code = code == MPI_SUCCESS ? receive_values(comm, 0, TAG_MERGE, theirs, 2) : code;
    } else {
        code = hear_members(comm, TAG_MERGE, 1, &mine[0]);
        code = code == MPI_SUCCESS ? trade_values(comm, TAG_MERGE, mine, theirs, 2) : code; //= IMPI-207
        theirs[0] = mine[0] = mine[0] > theirs[0] ? mine[0] : theirs[0];
        code = code == MPI_SUCCESS ? tell_members(comm, TAG_MERGE, mine, 2) : code;
    }
    *remote_high = theirs[1] != 0;
    return code == MPI_SUCCESS ? comm_context_take(theirs[0], comm->local, comm->remote, context) : code;
}

API int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    struct mpi_call call = call_on("MPI_Intercomm_merge", intercomm);
    struct mpi_group *local, *remote, *merged;
    int remote_high, code;
    bool first;
    struct comm_context context;

    call_inter(&call);
    call_output(&call, newintracomm, "newintracomm");
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    code = merge_agree(call.comm, high, &remote_high, &context);
    if (code != MPI_SUCCESS) {
        call_fail(&call, code, "the two groups could not agree");
        return call_end(&call);
    }
    local = call.comm->local;
    remote = call.comm->remote;
    first = (high != 0) == remote_high ? local->world[0] < remote->world[0] : !high; //= IMPI-208
    merged = first ? group_merge(local, remote) : group_merge(remote, local);
    call_name(&call, merged ? comm_new(context, merged, NULL, call.comm) : NULL, newintracomm);
    group_release(merged);
    return call_end(&call);
}

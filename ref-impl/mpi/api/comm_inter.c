/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Intercommunicators: making one from two intracommunicators, and one intracommunicator from it. Chapter 5.6 of MPI,
 * chapters 4.5, 4.6, 4.8 and 4.9 of IMPI; the messages are those printed there.
 */
#include "ref-impl/mpi/api/comm_inter.h"

#include <limits.h>
#include <stdlib.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/collectives/coll.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/contexts/context.h"
#include "ref-impl/mpi/messages/p2p.h"

enum { PRINTED_OCTETS = 8 }; /* of two MPI_INT, in whatever form */

enum tag { TAG_DUP = 210, TAG_MERGE = 220, TAG_FREE = 230 }; //= IMPI-238

/* Values of 8 octets, as IMPI_UINT8 of the document. Between clients they travel in the context of point-to-point
 * messages, as prescribed, marked so that no receive of the program for any tag takes them where both ends are this
 * library; within a client in the other. */
static struct p2p_message values(struct mpi_comm *comm, int peer, int tag, unsigned long long *value, int count)
{
    bool native = world_is_native(comm_peers(comm)->world[peer]);

    return (struct p2p_message){comm, native, peer, tag, value, count, type_find(MPI_UNSIGNED_LONG_LONG), !native};
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

/* Numbers for, or from, the other leader on the peer communicator. */
static struct p2p_message to_leader(const struct meeting *meeting, void *numbers, int count, struct mpi_type *type)
{
    return (struct p2p_message){meeting->peer, false, meeting->remote_leader, meeting->tag, numbers, count,
                                type,          false};
}

/* Receives the two numbers of the other leader, in either form. */
static int receive_sizes(const struct meeting *meeting, unsigned long long *theirs)
{
    struct p2p_message message = to_leader(meeting, theirs, 2, type_find(MPI_UNSIGNED_LONG_LONG));
    int printed[2] = {-1, -1}, code;
    MPI_Status status;

    p2p_probe(&message, true, &status);
    if (status.assay_octets != PRINTED_OCTETS) {
        return p2p_receive(&message, NULL);
    }
    message = to_leader(meeting, printed, 2, type_find(MPI_INT));
    code = p2p_receive(&message, NULL);
    if (code == MPI_SUCCESS && (printed[0] < 0 || printed[1] < 0)) {
        return MPI_ERR_OTHER;
    }
    theirs[0] = (unsigned)printed[0];
    theirs[1] = (unsigned)printed[1];
    return code;
}

/* The leaders tell each other the highest context id and the size of their groups. The document declares values of 8
 * octets and prints a call that sends two MPI_INT, so there are two forms, and both leaders must use the same [A08]. We
 * speak the first, unless we have been spoken to in the second already. */
//= IMPI-202
//= IMPI-203
static int trade_sizes(const struct meeting *meeting, unsigned long long *mine, unsigned long long *theirs)
{
    struct p2p_message message = to_leader(meeting, mine, 2, type_find(MPI_UNSIGNED_LONG_LONG));
    int printed[2] = {(int)mine[0], (int)mine[1]};
    struct request *sent;
    MPI_Status status;
    int code, sent_code;

    if (mine[0] <= INT_MAX && p2p_probe(&message, false, &status) && status.assay_octets == PRINTED_OCTETS) {
        message = to_leader(meeting, printed, 2, type_find(MPI_INT));
    }
    code = p2p_start_send(&message, P2P_STANDARD, &sent);
    if (code != MPI_SUCCESS) {
        return code;
    }
    code = receive_sizes(meeting, theirs);
    sent_code = p2p_wait(sent, NULL);
    return sent_code != MPI_SUCCESS ? sent_code : code;
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
        code = trade_sizes(meeting, mine, theirs);
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

/* Whether what came is a list of ranks, all different, and none of this side. */
static bool is_other_group(const struct meeting *meeting)
{
    const struct mpi_group *group = meeting->local->local;
    bool *taken = calloc((size_t)world_now()->size, sizeof(*taken));
    bool good = taken;

    for (int i = 0; good && i < group->count; i++) {
        taken[group->world[i]] = true;
    }
    for (int i = 0; good && i < meeting->remote_count; i++) {
        int rank = meeting->remote[i];

        good = rank >= 0 && rank < world_now()->size && !taken[rank];
        if (good) {
            taken[rank] = true;
        }
    }
    free(taken);
    return good;
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
        struct p2p_message out = to_leader(meeting, (void *)(uintptr_t)group->world, group->count, number);
        struct p2p_message in = to_leader(meeting, meeting->remote, meeting->remote_count, number);

        code = p2p_exchange(&out, &in, NULL); //= IMPI-205
    }
    if (code == MPI_SUCCESS) {
        code = coll_bcast(meeting->local, &theirs, meeting->leader);
    }
    return code == MPI_SUCCESS && !is_other_group(meeting) ? MPI_ERR_OTHER : code;
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

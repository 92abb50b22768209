/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators: sections 5.4 and 5.6 of the MPI-1.1 standard.
 */
#include <string.h>

#include "verbs.h"

/* finish_comm tells how a constructor went; `key` names the new communicator. */
static void finish_comm(struct call *call, const char *key, int code, const MPI_Comm *comm)
{
    if (code == MPI_SUCCESS)
        errors_adopt(call, *comm);
    if (result_code(call, code))
        result_object(call, key, KIND_COMM, comm);
}

static void run_size(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int size = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_size(comm, &size))))
        line_add(&call->result, " size=%d", size);
}

static void run_rank(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int rank = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_rank(comm, &rank))))
        result_number(call, "rank", NUMBER_UNDEFINED, rank);
}

static void run_test_inter(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int flag = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_test_inter(comm, &flag))))
        result_bool(call, "flag", flag != 0);
}

static void run_remote_size(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    int size = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_remote_size(comm, &size))))
        line_add(&call->result, " size=%d", size);
}

static void run_compare(struct call *call)
{
    MPI_Comm one = call_comm(call, "comm1"), other = call_comm(call, "comm2");
    int result = 0;

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_compare(one, other, &result))))
        result_number(call, "result", NUMBER_COMPARISON, result);
}

static void run_dup(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm"), new = MPI_COMM_NULL;

    call_new(call, "newcomm");
    if (!call_failed(call))
        finish_comm(call, "newcomm", CALLED(call, MPI_Comm_dup(comm, &new)), &new);
}

static void run_create(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm"), new = MPI_COMM_NULL;
    MPI_Group group = call_group(call, "group");

    call_new(call, "newcomm");
    if (!call_failed(call))
        finish_comm(call, "newcomm", CALLED(call, MPI_Comm_create(comm, group, &new)), &new);
}

static void run_split(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm"), new = MPI_COMM_NULL;
    int color = call_number(call, "color"), key = call_number(call, "key");

    call_new(call, "newcomm");
    if (!call_failed(call))
        finish_comm(call, "newcomm", CALLED(call, MPI_Comm_split(comm, color, key, &new)), &new);
}

static void run_intercomm_create(struct call *call)
{
    MPI_Comm local = call_comm(call, "local_comm"), peer = call_comm(call, "peer_comm"), new = MPI_COMM_NULL;
    int local_leader = call_number(call, "local_leader"), remote_leader = call_number(call, "remote_leader");
    int tag = call_number(call, "tag");

    call_new(call, "newintercomm");
    if (!call_failed(call))
        finish_comm(call, "newintercomm",
                    CALLED(call, MPI_Intercomm_create(local, local_leader, peer, remote_leader, tag, &new)), &new);
}

static void run_intercomm_merge(struct call *call)
{
    MPI_Comm comm = call_comm(call, "intercomm"), new = MPI_COMM_NULL;
    int high = call_flag(call, "high");

    call_new(call, "newintracomm");
    if (!call_failed(call))
        finish_comm(call, "newintracomm", CALLED(call, MPI_Intercomm_merge(comm, high, &new)), &new);
}

static void run_free(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");

    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_free(&comm))))
        result_object(call, "comm", KIND_COMM, &comm);
}

static void run_group(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Group group = MPI_GROUP_NULL;

    call_new(call, "group");
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_group(comm, &group))))
        result_object(call, "group", KIND_GROUP, &group);
}

static void run_remote_group(struct call *call)
{
    MPI_Comm comm = call_comm(call, "comm");
    MPI_Group group = MPI_GROUP_NULL;

    call_new(call, "group");
    if (!call_failed(call) && result_code(call, CALLED(call, MPI_Comm_remote_group(comm, &group))))
        result_object(call, "group", KIND_GROUP, &group);
}

const struct verb mpi_communicators[] = {
    {"MPI_Comm_size", "comm", run_size, false},
    {"MPI_Comm_rank", "comm", run_rank, false},
    {"MPI_Comm_test_inter", "comm", run_test_inter, false},
    {"MPI_Comm_remote_size", "comm", run_remote_size, false},
    {"MPI_Comm_compare", "comm1 comm2", run_compare, false},
    {"MPI_Comm_dup", "comm newcomm", run_dup, false},
    {"MPI_Comm_create", "comm group newcomm", run_create, false},
    {"MPI_Comm_split", "comm color key newcomm", run_split, false},
    {"MPI_Intercomm_create", "local_comm local_leader peer_comm remote_leader tag newintercomm", run_intercomm_create,
     false},
    {"MPI_Intercomm_merge", "intercomm high newintracomm", run_intercomm_merge, false},
    {"MPI_Comm_free", "comm", run_free, false},
    {"MPI_Comm_group", "comm group", run_group, false},
    {"MPI_Comm_remote_group", "comm group", run_remote_group, false},
    {NULL, NULL, NULL, false},
};

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What programs ask of communicators: chapters 5.4.1 and 5.6.1 of MPI. api/comm_make.c and api/comm_inter.c make them.
 */
#include <stdio.h>

#include "ref-impl/mpi/api/call.h"

API int MPI_Comm_size(MPI_Comm comm, int *size)
{
    struct mpi_call call = call_on("MPI_Comm_size", comm);

    call_output(&call, size, "size");
    if (call.code == MPI_SUCCESS) {
        *size = call.comm->local->count;
    }
    return call_end(&call);
}

API int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    struct mpi_call call = call_on("MPI_Comm_rank", comm);

    call_output(&call, rank, "rank");
    if (call.code == MPI_SUCCESS) {
        *rank = call.comm->rank;
    }
    return call_end(&call);
}

API int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    struct mpi_call call = call_on("MPI_Comm_compare", comm1);
    const struct mpi_comm *other = comm_find(comm2);
    int remote = MPI_IDENT;

    call_output(&call, result, "result");
    if (!other) {
        call_fail(&call, MPI_ERR_COMM, "comm2 is no communicator, or has been freed");
    }
    if (call.code != MPI_SUCCESS || !other) {
        return call_end(&call);
    }
    if (call.comm == other) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    if (!call.comm->remote != !other->remote) {
        *result = MPI_UNEQUAL;
        return MPI_SUCCESS;
    }
    if (other->remote) {
        remote = group_compare(call.comm->remote, other->remote);
    }
    *result = group_compare(call.comm->local, other->local);
    *result = remote > *result ? remote : *result;
    *result = *result == MPI_IDENT ? MPI_CONGRUENT : *result;
    return MPI_SUCCESS;
}

/* A new handle for a group of the communicator. */
static int name_group(struct mpi_call *call, struct mpi_group *group, MPI_Group *handle)
{
    MPI_Group name;

    group_hold(group);
    name = group_name(group);
    if (name == MPI_GROUP_NULL) {
        call_fail(call, MPI_ERR_OTHER, "memory is used up");
    } else {
        *handle = name;
    }
    return call_end(call);
}

API int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    struct mpi_call call = call_on("MPI_Comm_group", comm);

    call_output(&call, group, "group");
    return call.code == MPI_SUCCESS ? name_group(&call, call.comm->local, group) : call_end(&call);
}

API int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    struct mpi_call call = call_on("MPI_Comm_remote_group", comm);

    call_inter(&call);
    call_output(&call, group, "group");
    return call.code == MPI_SUCCESS ? name_group(&call, call.comm->remote, group) : call_end(&call);
}

API int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    struct mpi_call call = call_on("MPI_Comm_test_inter", comm);

    call_output(&call, flag, "flag");
    if (call.code == MPI_SUCCESS) {
        *flag = call.comm->remote != NULL;
    }
    return call_end(&call);
}

API int MPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    struct mpi_call call = call_on("MPI_Comm_remote_size", comm);

    call_inter(&call);
    call_output(&call, size, "size");
    if (call.code == MPI_SUCCESS) {
        *size = call.comm->remote->count;
    }
    return call_end(&call);
}

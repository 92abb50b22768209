/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * New communicators as MPI-3 makes them, and hints for communicators, of which nothing here takes any. Chapter 6.4 of
 * MPI-3.
 */
#include "ref-impl/mpi/api/message.h"
#include "ref-impl/mpi/contexts/context.h"

API int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_dup_with_info", comm);

    call_info(&call, info);
    return call.code == MPI_SUCCESS ? MPI_Comm_dup(comm, newcomm) : call_end(&call);
}

/* The members agree on contexts as if they had a communicator with those of the old one: they alone send in it
 * meanwhile, for they all are here. */
static int agree(struct mpi_comm *comm, struct mpi_group *members, struct comm_context *context)
{
    struct mpi_comm *part;
    int code;

    p2p_await_turn(comm);
    part = comm_new(comm->context, members, NULL, comm);
    code = part ? comm_context_agree(part, context) : MPI_ERR_OTHER;
    comm_release(part);
    return code;
}

API int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_create_group", comm);
    struct mpi_group *members = call_group(&call, group);
    struct comm_context context;
    int code;

    call_intra(&call);
    call_output(&call, newcomm, "newcomm");
    (void)api_message_probe(&call, MPI_PROC_NULL, tag);
    for (int rank = 0; call.code == MPI_SUCCESS && rank < members->count; rank++) {
        if (group_rank_of(call.comm->local, members->world[rank]) == MPI_UNDEFINED) {
            call_fail(&call, MPI_ERR_GROUP, "the group has members that comm has not");
        }
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    if (members->rank == MPI_UNDEFINED) {
        *newcomm = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    code = agree(call.comm, members, &context);
    if (code != MPI_SUCCESS) {
        call_fail(&call, code, "no context id could be agreed on; they may be used up");
    } else {
        call_name(&call, comm_new(context, members, NULL, call.comm), newcomm);
    }
    return call_end(&call);
}

API int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    struct mpi_call call = call_on("MPI_Comm_set_info", comm);

    call_info(&call, info);
    return call_end(&call);
}

API int MPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)
{
    struct mpi_call call = call_on("MPI_Comm_get_info", comm);

    return call.code == MPI_SUCCESS ? MPI_Info_create(info_used) : call_end(&call);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators by where processes run: MPI_Comm_split_type of MPI-3.
 */
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/collectives/coll.h"

/* The lowest rank of those on the same machine as this process, by the names of machines; negative: the call has
 * failed. */
static int first_of_machine(struct mpi_call *call)
{
    int size = call->comm->local->count, first = 0, len = 0;
    char own[MPI_MAX_PROCESSOR_NAME] = "";
    char(*names)[MPI_MAX_PROCESSOR_NAME] = calloc((size_t)size, sizeof(*names));
    struct mpi_type *octet = type_find(MPI_BYTE);
    int code = names ? MPI_Get_processor_name(own, &len) : MPI_ERR_OTHER;

    if (code == MPI_SUCCESS) {
        code = coll_allgather(call->comm, &(struct coll_data){own, MPI_MAX_PROCESSOR_NAME, octet},
                              &(struct coll_blocks){.buffer = names, .count = MPI_MAX_PROCESSOR_NAME, .type = octet});
    }
    if (code != MPI_SUCCESS) {
        call_fail(call, code, "names of machines could not be exchanged");
    }
    while (code == MPI_SUCCESS && first < call->comm->rank && memcmp(names[first], own, sizeof(own)) != 0) {
        first++;
    }
    free(names);
    return code == MPI_SUCCESS ? first : -1;
}

API int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_split_type", comm);
    int first = -1;

    call_intra(&call);
    call_output(&call, newcomm, "newcomm");
    call_info(&call, info);
    if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED) {
        call_fail(&call, MPI_ERR_ARG, "split_type is %d, neither MPI_COMM_TYPE_SHARED nor MPI_UNDEFINED", split_type);
    }
    if (call.code == MPI_SUCCESS) {
        first = first_of_machine(&call);
    }
    if (call.code != MPI_SUCCESS) {
        return call_end(&call);
    }
    return MPI_Comm_split(comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : first, key, newcomm);
}

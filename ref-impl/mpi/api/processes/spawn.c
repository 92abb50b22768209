/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Processes that a program starts: chapter 5 of MPI-2, 10.3 of MPI-3. A job keeps the processes that it was started
 * with, so nothing is ever spawned: the calls check their arguments and fail with class MPI_ERR_SPAWN, in every process
 * alike, so that a program which has a handler for that goes on without.
 */
#include "ref-impl/mpi/api/call.h"

/* The checks of both, then the failure; `processes` error codes are told where they are wanted. */
static int refuse(struct mpi_call *call, int root, const MPI_Comm *intercomm, int processes, int *array_of_errcodes)
{
    call_intra(call);
    call_root(call, root);
    call_output(call, intercomm, "intercomm");
    if (call->code == MPI_SUCCESS) {
        for (int i = 0; array_of_errcodes != MPI_ERRCODES_IGNORE && i < processes; i++) {
            array_of_errcodes[i] = MPI_ERR_SPAWN;
        }
        call_fail(call, MPI_ERR_SPAWN, "a job has the processes that it was started with; none can be added");
    }
    return call_end(call);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
                       MPI_Comm *intercomm, int array_of_errcodes[])
{
    struct mpi_call call = call_on("MPI_Comm_spawn", comm);
    bool mine = call.code == MPI_SUCCESS && root == call.comm->rank;

    (void)argv;
    if (mine) {
        call_output(&call, command, "command");
        call_count(&call, maxprocs, "maxprocs");
        call_info(&call, info);
    }
    return refuse(&call, root, intercomm, mine ? maxprocs : 0, array_of_errcodes);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[],
                                const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm,
                                MPI_Comm *intercomm, int array_of_errcodes[])
{
    struct mpi_call call = call_on("MPI_Comm_spawn_multiple", comm);
    bool mine = call.code == MPI_SUCCESS && root == call.comm->rank;
    int processes = 0; /* what the arguments of others are is not looked at */

    (void)array_of_argv;
    if (mine) {
        call_count(&call, count, "count");
        call_output(&call, array_of_commands, "array_of_commands");
        call_output(&call, array_of_maxprocs, "array_of_maxprocs");
        call_output(&call, array_of_info, "array_of_info");
    }
    for (int i = 0; mine && call.code == MPI_SUCCESS && i < count; i++) {
        call_count(&call, array_of_maxprocs[i], "one of array_of_maxprocs");
        call_info(&call, array_of_info[i]);
        if (call.code == MPI_SUCCESS && __builtin_add_overflow(processes, array_of_maxprocs[i], &processes)) {
            call_fail(&call, MPI_ERR_ARG, "array_of_maxprocs has a sum that no int holds");
        }
    }
    return refuse(&call, root, intercomm, processes, array_of_errcodes);
}

/* Nobody here has been started by MPI_Comm_spawn. */
API int MPI_Comm_get_parent(MPI_Comm *parent)
{
    struct mpi_call call = call_without("MPI_Comm_get_parent");

    call_output(&call, parent, "parent");
    if (call.code == MPI_SUCCESS) {
        *parent = MPI_COMM_NULL;
    }
    return call_end(&call);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The environment: versions, names, clocks. Chapter 7 of MPI; MPI_Init, MPI_Finalize and MPI_Abort are in api/init.c.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "ref-impl/mpi/api/call.h"

API int MPI_Get_version(int *version, int *subversion)
{
    if (!version || !subversion) {
        return MPI_ERR_ARG;
    }
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}

API int MPI_Get_library_version(char *version, int *resultlen)
{
    if (!version || !resultlen) {
        return MPI_ERR_ARG;
    }
    *resultlen = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Assay MPI %s", ASSAY_VERSION);
    return MPI_SUCCESS;
}

API int MPI_Get_processor_name(char *name, int *resultlen)
{
    struct mpi_call call = call_without("MPI_Get_processor_name");
    char host[MPI_MAX_PROCESSOR_NAME] = "unknown";

    call_output(&call, name, "name");
    call_output(&call, resultlen, "resultlen");
    if (call.code == MPI_SUCCESS) {
        gethostname(host, sizeof(host) - 1);
        *resultlen = snprintf(name, MPI_MAX_PROCESSOR_NAME, "%s", host);
    }
    return call_end(&call);
}

API double MPI_Wtime(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

API double MPI_Wtick(void)
{
    struct timespec tick;

    clock_getres(CLOCK_MONOTONIC, &tick);
    return (double)tick.tv_sec + (double)tick.tv_nsec * 1e-9;
}

API int MPI_Pcontrol(const int level, ...)
{
    (void)level;
    return MPI_SUCCESS;
}

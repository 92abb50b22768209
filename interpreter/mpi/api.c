/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * interp-mpi: the interpreter that is linked with an MPI library (specs/interpreter.md, section 7).
 */
#include "../core/api.h"

#include <stdio.h>

#include "verbs.h"

static const struct verb *const chapters[] = {
    mpi_environment, mpi_errors,        mpi_messages, mpi_exchange,   mpi_requests,   mpi_several,     mpi_types,
    mpi_packing,     mpi_communicators, mpi_groups,   mpi_attributes, mpi_operations, mpi_collectives, mpi_reductions,
    mpi_native,      mpi_waiting,       NULL};

/* In the order of the kinds in constants.h. */
static const struct api_kind kinds[] = {{"communicator", sizeof(MPI_Comm)}, {"group", sizeof(MPI_Group)},
                                        {"datatype", sizeof(MPI_Datatype)}, {"operation", sizeof(MPI_Op)},
                                        {"request", sizeof(MPI_Request)},   {"error handler", sizeof(MPI_Errhandler)},
                                        {"attribute key", sizeof(int)},     {"status", sizeof(MPI_Status)}};

/* A header whose types are larger than what a name can keep does not compile here. */
extern char mpi_api_fits[sizeof(MPI_Status) <= OBJECT_OCTETS ? 1 : -1];

static void describe(struct line *line)
{
    line_add(line, " char.octets=1 short.octets=%u int.octets=%u long.octets=%u long-long.octets=%u",
             (unsigned)sizeof(short), (unsigned)sizeof(int), (unsigned)sizeof(long), (unsigned)sizeof(long long));
    line_add(line, " float.octets=%u double.octets=%u long-double.octets=%u pointer.octets=%u", (unsigned)sizeof(float),
             (unsigned)sizeof(double), (unsigned)sizeof(long double), (unsigned)sizeof(void *));
    if (VENDOR_VERSION)
        line_add(line, " MPI_VERSION=%d.%d", VENDOR_VERSION, VENDOR_SUBVERSION);
    else
        line_add(line, " MPI_VERSION=unknown");
#ifdef MPI_BSEND_OVERHEAD
    line_add(line, " bsend.overhead=%ld", (long)MPI_BSEND_OVERHEAD);
#endif
    operations_describe(line);
    line_add(line, " status.octets=%u lacks=", (unsigned)sizeof(MPI_Status));
    constants_add_lacking(line);
}

static const char *begin(int *count, char ***arguments)
{
    static char features[64];

    constants_open();
    snprintf(features, sizeof features, "%s,fortran-types", environment_begin(count, arguments));
    return features;
}

const struct api api = {
    .program = "interp-mpi",
    .name = "mpi-1",
    .library = "MPI",
    .chapters = chapters,
    .kinds = kinds,
    .begin = begin,
    .options = "  --initialize         call MPI_Init as soon as the manager is connected, and not when it says so\n",
    .leaves_to = "MPI_Init",
    .ready = environment_ready,
    .describe = describe,
};

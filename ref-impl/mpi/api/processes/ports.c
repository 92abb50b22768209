/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Jobs that meet: chapter 5.4 of MPI-2, 10.4 and 10.5.4 of MPI-3. There are no ports here, so no text is the name of
 * one, and no name is published: each call fails with the class that the standard has for that. Only MPI_Comm_join has
 * an answer for those who cannot: MPI_COMM_NULL.
 */
#include "ref-impl/mpi/api/call.h"

API int MPI_Open_port(MPI_Info info, char *port_name)
{
    struct mpi_call call = call_without("MPI_Open_port");

    call_info(&call, info);
    call_output(&call, port_name, "port_name");
    call_fail(&call, MPI_ERR_UNSUPPORTED_OPERATION, "there are no ports: jobs cannot be connected");
    return call_end(&call);
}

/* The port of a name, which is never there. */
static void find_port(struct mpi_call *call, const char *port_name)
{
    call_output(call, port_name, "port_name");
    if (call->code == MPI_SUCCESS) {
        call_fail(call, MPI_ERR_PORT, "'%.64s' is no port: MPI_Open_port opens none", port_name);
    }
}

API int MPI_Close_port(const char *port_name)
{
    struct mpi_call call = call_without("MPI_Close_port");

    find_port(&call, port_name);
    return call_end(&call);
}

/* Of the root's arguments only the root's are looked at; others fail as it does. */
static int meet(struct mpi_call *call, const char *port_name, MPI_Info info, int root, const MPI_Comm *newcomm)
{
    bool mine = call->code == MPI_SUCCESS && root == call->comm->rank;

    call_intra(call);
    call_root(call, root);
    call_output(call, newcomm, "newcomm");
    if (mine) {
        call_info(call, info);
        find_port(call, port_name);
    }
    call_fail(call, MPI_ERR_PORT, "what the root names is no port: MPI_Open_port opens none");
    return call_end(call);
}

API int MPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_accept", comm);

    return meet(&call, port_name, info, root, newcomm);
}

API int MPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Comm_connect", comm);

    return meet(&call, port_name, info, root, newcomm);
}

/* The socket is left as it was. */
API int MPI_Comm_join(int fd, MPI_Comm *intercomm)
{
    struct mpi_call call = call_without("MPI_Comm_join");

    call_output(&call, intercomm, "intercomm");
    if (fd < 0) {
        call_fail(&call, MPI_ERR_ARG, "fd is %d", fd);
    }
    if (call.code == MPI_SUCCESS) {
        *intercomm = MPI_COMM_NULL;
    }
    return call_end(&call);
}

/* The checks of the three, then the failure. */
static int name(struct mpi_call *call, const char *service_name, MPI_Info info, const char *port_name, int class)
{
    call_output(call, service_name, "service_name");
    call_info(call, info);
    call_output(call, port_name, "port_name");
    if (call->code == MPI_SUCCESS) {
        call_fail(call, class, "the service '%.64s' is not published: there is nowhere to publish it", service_name);
    }
    return call_end(call);
}

API int MPI_Publish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    struct mpi_call call = call_without("MPI_Publish_name");

    return name(&call, service_name, info, port_name, MPI_ERR_SERVICE);
}

API int MPI_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    struct mpi_call call = call_without("MPI_Unpublish_name");

    return name(&call, service_name, info, port_name, MPI_ERR_SERVICE);
}

API int MPI_Lookup_name(const char *service_name, MPI_Info info, char *port_name)
{
    struct mpi_call call = call_without("MPI_Lookup_name");

    return name(&call, service_name, info, port_name, MPI_ERR_NAME);
}

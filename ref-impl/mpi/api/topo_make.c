/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Communicators with a topology: MPI_Cart_create, MPI_Graph_create, MPI_Cart_sub, and which ranks they would give.
 * Chapter 6.5 of MPI; communicators/topology.c has what is attached.
 *
 * Ranks stay as they are, also where they may be reordered: neighbours in the world are in one client, or on one host,
 * as far as possible. The document about IMPI says nothing of topologies; a context id is agreed on as in
 * MPI_Comm_create.
 */
#include "ref-impl/mpi/api/topo.h"

#include <stdlib.h>

#include "ref-impl/mpi/communicators/topology.h"
#include "ref-impl/mpi/contexts/context.h"

/* The grid that is asked for; returns how many processes it has. */
static int check_grid(struct mpi_call *call, int count, const int *lengths, const int *rings)
{
    int size = 1;

    call_intra(call);
    call_count(call, count, "ndims");
    if (count > 0) {
        call_output(call, lengths, "dims");
        call_output(call, rings, "periods");
    }
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (lengths[i] <= 0) {
            call_fail(call, MPI_ERR_DIMS, "dims[%d] is %d, not above 0", i, lengths[i]);
        } else if (__builtin_mul_overflow(size, lengths[i], &size) || size > call->comm->local->count) {
            call_fail(call, MPI_ERR_DIMS, "the grid has more places than comm has processes, %d",
                      call->comm->local->count);
        }
    }
    return size;
}

/* The lists of neighbours of so many nodes. */
static void check_lists(struct mpi_call *call, int count, const int *ends, const int *neighbors)
{
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (ends[i] < (i > 0 ? ends[i - 1] : 0)) {
            call_fail(call, MPI_ERR_ARG, "index[%d] is %d, less than the one before it", i, ends[i]);
        }
    }
    if (call->code == MPI_SUCCESS && count > 0 && ends[count - 1] > 0) {
        call_output(call, neighbors, "edges");
    }
    for (int i = 0; call->code == MPI_SUCCESS && count > 0 && i < ends[count - 1]; i++) {
        if (neighbors[i] < 0 || neighbors[i] >= count) {
            call_fail(call, MPI_ERR_ARG, "edges[%d] is %d, not in 0 .. %d", i, neighbors[i], count - 1);
        }
    }
}

/* The graph that is asked for. */
static void check_graph(struct mpi_call *call, int count, const int *ends, const int *neighbors)
{
    call_intra(call);
    call_count(call, count, "nnodes");
    if (call->code == MPI_SUCCESS && count > call->comm->local->count) {
        call_fail(call, MPI_ERR_ARG, "the graph has %d nodes, and comm has %d processes", count,
                  call->comm->local->count);
    }
    if (count > 0) {
        call_output(call, ends, "index");
    }
    check_lists(call, count, ends, neighbors);
}

/* The first `count` members of the call's communicator, held. */
static struct mpi_group *first_members(const struct mpi_call *call, int count)
{
    return group_new(call->comm->local->world, count);
}

int topo_make(struct mpi_call *call, struct mpi_group *members, struct topology *topology, MPI_Comm *handle)
{
    struct comm_context context;
    struct mpi_comm *made;
    int code = members && topology ? comm_context_agree(call->comm, &context) : MPI_ERR_OTHER;

    if (code != MPI_SUCCESS) {
        call_fail(call, code, "no context id could be agreed on, or memory is used up");
    } else if (members->rank == MPI_UNDEFINED) {
        *handle = MPI_COMM_NULL;
    } else {
        made = comm_new(context, members, NULL, call->comm);
        if (made) {
            topology_hold(made->topology = topology);
        }
        call_name(call, made, handle);
    }
    group_release(members);
    topology_release(topology);
    return call_end(call);
}

API int MPI_Cart_create(MPI_Comm comm_old, int ndims, const int *dims, const int *periods, int reorder,
                        MPI_Comm *comm_cart)
{
    struct mpi_call call = call_on("MPI_Cart_create", comm_old);
    int size = check_grid(&call, ndims, dims, periods);

    (void)reorder;
    call_output(&call, comm_cart, "comm_cart");
    return call.code == MPI_SUCCESS ? topo_make(&call, first_members(&call, size),
                                                topology_new(MPI_CART, ndims, dims, 0, periods), comm_cart)
                                    : call_end(&call);
}

API int MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int *index, const int *edges, int reorder,
                         MPI_Comm *comm_graph)
{
    struct mpi_call call = call_on("MPI_Graph_create", comm_old);

    (void)reorder;
    check_graph(&call, nnodes, index, edges);
    call_output(&call, comm_graph, "comm_graph");
    return call.code == MPI_SUCCESS
               ? topo_make(&call, first_members(&call, nnodes),
                           topology_new(MPI_GRAPH, nnodes, index, nnodes > 0 ? index[nnodes - 1] : 0, edges),
                           comm_graph)
               : call_end(&call);
}

/* The ranks that agree with this process in all dimensions that are not kept, in their order. `place` has room for two
 * sets of coordinates. */
static struct mpi_group *slice(const struct mpi_comm *comm, const int *kept, int *place)
{
    const struct topology *grid = comm->topology;
    int *own = place + grid->count, *world = malloc((size_t)comm->local->count * sizeof(*world));
    struct mpi_group *made = NULL;
    int count = 0;

    topology_coords(grid, comm->rank, own);
    for (int rank = 0; world && rank < comm->local->count; rank++) {
        int same = 0;

        topology_coords(grid, rank, place);
        while (same < grid->count && (kept[same] || place[same] == own[same])) {
            same++;
        }
        if (same == grid->count) {
            world[count++] = comm->local->world[rank];
        }
    }
    if (world) {
        made = group_new(world, count);
    }
    free(world);
    return made;
}

/* What is left of a grid; `place` has room for two numbers of each dimension. */
static struct topology *project(const struct topology *grid, const int *kept, int *place)
{
    int count = 0;

    for (int i = 0; i < grid->count; i++) {
        if (kept[i]) {
            place[count] = grid->numbers[i];
            place[grid->count + count++] = topology_second(grid)[i];
        }
    }
    return topology_new(MPI_CART, count, place, 0, place + grid->count);
}

API int MPI_Cart_sub(MPI_Comm comm, const int *remain_dims, MPI_Comm *newcomm)
{
    struct mpi_call call = call_on("MPI_Cart_sub", comm);
    const struct topology *grid = call.code == MPI_SUCCESS ? call.comm->topology : NULL;
    struct mpi_group *members;
    int *place, code;

    if (!grid || grid->kind != MPI_CART) {
        call_fail(&call, MPI_ERR_TOPOLOGY, "comm has no grid");
    } else if (grid->count > 0) {
        call_output(&call, remain_dims, "remain_dims");
    }
    call_output(&call, newcomm, "newcomm");
    if (call.code != MPI_SUCCESS || !grid) {
        return call_end(&call);
    }
    place = malloc((size_t)(2 * grid->count + 1) * sizeof(*place));
    if (!place) {
        call_fail(&call, MPI_ERR_OTHER, "memory is used up");
        return call_end(&call);
    }
    members = slice(call.comm, remain_dims, place);
    code = topo_make(&call, members, project(grid, remain_dims, place), newcomm);
    free(place);
    return code;
}

/* The rank that a process would have in a topology of so many. */
static int would_be(struct mpi_call *call, int size, int *newrank)
{
    call_output(call, newrank, "newrank");
    if (call->code == MPI_SUCCESS) {
        *newrank = call->comm->rank < size ? call->comm->rank : MPI_UNDEFINED;
    }
    return call_end(call);
}

API int MPI_Cart_map(MPI_Comm comm, int ndims, const int *dims, const int *periods, int *newrank)
{
    struct mpi_call call = call_on("MPI_Cart_map", comm);
    int size = check_grid(&call, ndims, dims, periods);

    return would_be(&call, size, newrank);
}

API int MPI_Graph_map(MPI_Comm comm, int nnodes, const int *index, const int *edges, int *newrank)
{
    struct mpi_call call = call_on("MPI_Graph_map", comm);

    check_graph(&call, nnodes, index, edges);
    return would_be(&call, nnodes, newrank);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Questions about the topology of a communicator: its form, coordinates, neighbours. Chapters 6.5.4 to 6.5.6 of MPI.
 */
#include "ref-impl/mpi/api/call.h"
#include "ref-impl/mpi/communicators/topology.h"

/* The topology of the call's communicator, which must be of this kind. NULL once the call has failed. */
static const struct topology *find(struct mpi_call *call, int kind)
{
    const struct topology *topology = call->code == MPI_SUCCESS ? call->comm->topology : NULL;

    if (!topology || topology->kind != kind) {
        call_fail(call, MPI_ERR_TOPOLOGY, kind == MPI_CART ? "comm has no grid" : "comm has no graph");
    }
    return call->code == MPI_SUCCESS ? topology : NULL;
}

static void check_rank(struct mpi_call *call, int rank)
{
    if (call->code == MPI_SUCCESS && (rank < 0 || rank >= call->comm->local->count)) {
        call_fail(call, MPI_ERR_RANK, "rank %d is not in 0 .. %d", rank, call->comm->local->count - 1);
    }
}

/* Room for so many numbers. */
static void check_room(struct mpi_call *call, int room, const void *numbers, const char *name)
{
    call_count(call, room, "the room");
    if (room > 0) {
        call_output(call, numbers, name);
    }
}

static void store(const int *from, int count, int room, int *to)
{
    for (int i = 0; i < count && i < room; i++) {
        to[i] = from[i];
    }
}

/* Stores as many coordinates of a rank as there is room for. */
static void store_coords(const struct topology *grid, int rank, int room, int *coords)
{
    for (int i = grid->count - 1; i >= 0; i--) {
        if (i < room) {
            coords[i] = rank % grid->numbers[i];
        }
        rank /= grid->numbers[i];
    }
}

API int MPI_Topo_test(MPI_Comm comm, int *status)
{
    struct mpi_call call = call_on("MPI_Topo_test", comm);

    call_output(&call, status, "status");
    if (call.code == MPI_SUCCESS) {
        *status = call.comm->topology ? call.comm->topology->kind : MPI_UNDEFINED;
    }
    return call_end(&call);
}

/* ---- grids ------------------------------------------------------------------------------------------------------- */

API int MPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    struct mpi_call call = call_on("MPI_Cartdim_get", comm);
    const struct topology *grid = find(&call, MPI_CART);

    call_output(&call, ndims, "ndims");
    if (call.code == MPI_SUCCESS && grid) {
        *ndims = grid->count;
    }
    return call_end(&call);
}

API int MPI_Cart_get(MPI_Comm comm, int maxdims, int *dims, int *periods, int *coords)
{
    struct mpi_call call = call_on("MPI_Cart_get", comm);
    const struct topology *grid = find(&call, MPI_CART);

    check_room(&call, maxdims, dims, "dims");
    check_room(&call, maxdims, periods, "periods");
    check_room(&call, maxdims, coords, "coords");
    if (call.code == MPI_SUCCESS && grid) {
        store(grid->numbers, grid->count, maxdims, dims);
        for (int i = 0; i < grid->count && i < maxdims; i++) {
            periods[i] = topology_second(grid)[i] != 0;
        }
        store_coords(grid, call.comm->rank, maxdims, coords);
    }
    return call_end(&call);
}

API int MPI_Cart_rank(MPI_Comm comm, const int *coords, int *rank)
{
    struct mpi_call call = call_on("MPI_Cart_rank", comm);
    const struct topology *grid = find(&call, MPI_CART);
    int found = 0;

    check_room(&call, grid ? grid->count : 0, coords, "coords");
    call_output(&call, rank, "rank");
    for (int i = 0; call.code == MPI_SUCCESS && grid && i < grid->count; i++) {
        int place = topology_place(grid, i, coords[i]);

        if (place < 0) {
            call_fail(&call, MPI_ERR_ARG, "coords[%d] is %d, not in 0 .. %d, and the dimension is no ring", i,
                      coords[i], grid->numbers[i] - 1);
        }
        found = found * grid->numbers[i] + place;
    }
    if (call.code == MPI_SUCCESS) {
        *rank = found;
    }
    return call_end(&call);
}

API int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords)
{
    struct mpi_call call = call_on("MPI_Cart_coords", comm);
    const struct topology *grid = find(&call, MPI_CART);

    check_rank(&call, rank);
    check_room(&call, maxdims, coords, "coords");
    if (call.code == MPI_SUCCESS && grid) {
        store_coords(grid, rank, maxdims, coords);
    }
    return call_end(&call);
}

API int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    struct mpi_call call = call_on("MPI_Cart_shift", comm);
    const struct topology *grid = find(&call, MPI_CART);

    call_output(&call, rank_source, "rank_source");
    call_output(&call, rank_dest, "rank_dest");
    if (grid && (direction < 0 || direction >= grid->count)) {
        call_fail(&call, MPI_ERR_ARG, "direction %d is not in 0 .. %d", direction, grid->count - 1);
    }
    if (call.code == MPI_SUCCESS && grid) {
        *rank_source = topology_shift(grid, call.comm->rank, direction, -(long)disp);
        *rank_dest = topology_shift(grid, call.comm->rank, direction, disp);
    }
    return call_end(&call);
}

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

API int MPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    struct mpi_call call = call_on("MPI_Graphdims_get", comm);
    const struct topology *graph = find(&call, MPI_GRAPH);

    call_output(&call, nnodes, "nnodes");
    call_output(&call, nedges, "nedges");
    if (call.code == MPI_SUCCESS && graph) {
        *nnodes = graph->count;
        *nedges = graph->edges;
    }
    return call_end(&call);
}

API int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int *index, int *edges)
{
    struct mpi_call call = call_on("MPI_Graph_get", comm);
    const struct topology *graph = find(&call, MPI_GRAPH);

    check_room(&call, maxindex, index, "index");
    check_room(&call, maxedges, edges, "edges");
    if (call.code == MPI_SUCCESS && graph) {
        store(graph->numbers, graph->count, maxindex, index);
        store(topology_second(graph), graph->edges, maxedges, edges);
    }
    return call_end(&call);
}

API int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    struct mpi_call call = call_on("MPI_Graph_neighbors_count", comm);
    const struct topology *graph = find(&call, MPI_GRAPH);

    check_rank(&call, rank);
    call_output(&call, nneighbors, "nneighbors");
    if (call.code == MPI_SUCCESS && graph) {
        topology_neighbors(graph, rank, nneighbors);
    }
    return call_end(&call);
}

API int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int *neighbors)
{
    struct mpi_call call = call_on("MPI_Graph_neighbors", comm);
    const struct topology *graph = find(&call, MPI_GRAPH);
    int count = 0;

    check_rank(&call, rank);
    check_room(&call, maxneighbors, neighbors, "neighbors");
    if (call.code == MPI_SUCCESS && graph) {
        const int *found = topology_neighbors(graph, rank, &count);

        store(found, count, maxneighbors, neighbors);
    }
    return call_end(&call);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Distributed graphs: each process says what edges it has, or what edges others have, and knows its own alone.
 * Chapter 7.5.4 of MPI-2.2 and 7.5.5 of MPI-3. Ranks stay as they are, as with the other topologies (topo_make.c).
 */
#include <stdlib.h>

#include "ref-impl/mpi/api/topo.h"
#include "ref-impl/mpi/collectives/coll.h"

static void check_ranks(struct mpi_call *call, int count, const int *ranks, const char *name)
{
    call_count(call, count, "the number of edges");
    if (count > 0) {
        call_output(call, ranks, name);
    }
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= call->comm->local->count) {
            call_fail(call, MPI_ERR_RANK, "%s[%d] is %d, not in 0 .. %d", name, i, ranks[i],
                      call->comm->local->count - 1);
        }
    }
}

/* The weights of so many edges; NULL where the program has none. Where it has, those of no edges are not NULL. */
static const int *check_weights(struct mpi_call *call, int count, const int *weights, const char *name)
{
    static const int none[1];

    if (weights == MPI_UNWEIGHTED) {
        return NULL;
    }
    if (count > 0 && weights == MPI_WEIGHTS_EMPTY) {
        call_fail(call, MPI_ERR_ARG, "%s is MPI_WEIGHTS_EMPTY, and there are %d edges", name, count);
    } else if (count > 0) {
        call_output(call, weights, name);
    }
    for (int i = 0; call->code == MPI_SUCCESS && i < count; i++) {
        if (weights[i] < 0) {
            call_fail(call, MPI_ERR_ARG, "%s[%d] is %d, less than 0", name, i, weights[i]);
        }
    }
    return count > 0 ? weights : none;
}

/* All processes of the communicator, held. */
static struct mpi_group *all_members(const struct mpi_call *call)
{
    group_hold(call->comm->local);
    return call->comm->local;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int *sources, const int *sourceweights,
                                       int outdegree, const int *destinations, const int *destweights, MPI_Info info,
                                       int reorder, MPI_Comm *comm_dist_graph)
{
    struct mpi_call call = call_on("MPI_Dist_graph_create_adjacent", comm_old);
    struct topology_edges in = {indegree, sources, NULL}, out = {outdegree, destinations, NULL};

    (void)reorder;
    call_intra(&call);
    call_info(&call, info);
    check_ranks(&call, indegree, sources, "sources");
    check_ranks(&call, outdegree, destinations, "destinations");
    in.weights = check_weights(&call, indegree, sourceweights, "sourceweights");
    out.weights = check_weights(&call, outdegree, destweights, "destweights");
    if (!in.weights != !out.weights) {
        call_fail(&call, MPI_ERR_ARG, "only one of sourceweights and destweights is MPI_UNWEIGHTED");
    }
    call_output(&call, comm_dist_graph, "comm_dist_graph");
    return call.code == MPI_SUCCESS
               ? topo_make(&call, all_members(&call), topology_distributed(&in, &out), comm_dist_graph)
               : call_end(&call);
}

/* ---- edges that any process may say ------------------------------------------------------------------------------ */

struct edge {
    int source, destination, weight;
};

enum { EDGE_INTS = sizeof(struct edge) / sizeof(int) };

/* What one process says: so many edges from each of so many sources. */
struct said {
    int count;
    const int *sources, *degrees, *destinations, *weights; /* weights: NULL where there are none */
    int edges;
};

static void check_said(struct mpi_call *call, struct said *said)
{
    check_ranks(call, said->count, said->sources, "sources");
    if (said->count > 0) {
        call_output(call, said->degrees, "degrees");
    }
    for (int i = 0; call->code == MPI_SUCCESS && i < said->count; i++) {
        if (said->degrees[i] < 0 || __builtin_add_overflow(said->edges, said->degrees[i], &said->edges) ||
            said->edges > INT32_MAX / EDGE_INTS) {
            call_fail(call, MPI_ERR_ARG, "degrees[%d] is %d, less than 0, or the sum of degrees is too large", i,
                      said->degrees[i]);
        }
    }
    check_ranks(call, said->edges, said->destinations, "destinations");
    said->weights = check_weights(call, said->edges, said->weights, "weights");
}

/* The edges of one process, which are free()d. NULL: memory is used up. */
static struct edge *list(const struct said *said)
{
    struct edge *edges = malloc(((size_t)said->edges + 1) * sizeof(*edges)), *next = edges;

    for (int i = 0, at = 0; edges && i < said->count; i++) {
        for (int end = at + said->degrees[i]; at < end; at++) {
            *next++ = (struct edge){said->sources[i], said->destinations[at], said->weights ? said->weights[at] : 0};
        }
    }
    return edges;
}

/* How many integers each process has to tell, and where they will stand; false: together they are too many. */
static bool place(int size, const int *counts, int *displs, int *sum)
{
    *sum = 0;
    for (int rank = 0; rank < size; rank++) {
        displs[rank] = *sum;
        if (__builtin_add_overflow(*sum, counts[rank], sum)) {
            return false;
        }
    }
    return true;
}

/* What all processes have said, in the order of their ranks, to be free()d; stores how many edges. NULL: it could not
 * be exchanged. `counts` has room for two numbers of each process. */
static struct edge *exchange(struct mpi_comm *comm, struct edge *own, int edges, int *counts, int *count)
{
    struct mpi_type *number = type_find(MPI_INT);
    int size = comm->local->count, ints = edges * EDGE_INTS, sum = 0;
    int code = coll_allgather(comm, &(struct coll_data){&ints, 1, number},
                              &(struct coll_blocks){.buffer = counts, .count = 1, .type = number});
    struct edge *all = NULL;

    if (code == MPI_SUCCESS && place(size, counts, counts + size, &sum)) {
        all = malloc(((size_t)sum + 1) * sizeof(int));
    }
    if (all &&
        coll_allgather(comm, &(struct coll_data){own, ints, number},
                       &(struct coll_blocks){all, true, 0, counts, counts + size, number, NULL}) != MPI_SUCCESS) {
        free(all);
        all = NULL;
    }
    *count = sum / EDGE_INTS;
    return all;
}

/* The edges that lead to this process, and from it; `room` has room for two numbers of each. */
static struct topology *pick(const struct edge *all, int count, int rank, bool weighted, int *room)
{
    int *ranks[2] = {room, room + count}, *weights[2] = {room + 2 * (size_t)count, room + 3 * (size_t)count};
    int found[2] = {0, 0};

    for (int i = 0; i < count; i++) {
        if (all[i].destination == rank) {
            ranks[0][found[0]] = all[i].source;
            weights[0][found[0]++] = all[i].weight;
        }
        if (all[i].source == rank) {
            ranks[1][found[1]] = all[i].destination;
            weights[1][found[1]++] = all[i].weight;
        }
    }
    return topology_distributed(&(struct topology_edges){found[0], ranks[0], weighted ? weights[0] : NULL},
                                &(struct topology_edges){found[1], ranks[1], weighted ? weights[1] : NULL});
}

/* The graph of which each process has said some edges. NULL: memory is used up. */
static struct topology *gather(const struct mpi_call *call, const struct said *said)
{
    int *counts = malloc(2 * (size_t)call->comm->local->count * sizeof(*counts)), *room = NULL, count = 0;
    struct edge *own = list(said), *all = NULL;
    struct topology *made = NULL;

    if (counts && own) {
        all = exchange(call->comm, own, said->edges, counts, &count);
    }
    if (all) {
        room = malloc((4 * (size_t)count + 1) * sizeof(*room));
    }
    if (room) {
        made = pick(all, count, call->comm->rank, said->weights != NULL, room);
    }
    free(room);
    free(all);
    free(own);
    free(counts);
    return made;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int *sources, const int *degrees, const int *destinations,
                              const int *weights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)
{
    struct mpi_call call = call_on("MPI_Dist_graph_create", comm_old);
    struct said said = {n, sources, degrees, destinations, weights, 0};

    (void)reorder;
    call_intra(&call);
    call_info(&call, info);
    check_said(&call, &said);
    call_output(&call, comm_dist_graph, "comm_dist_graph");
    return call.code == MPI_SUCCESS ? topo_make(&call, all_members(&call), gather(&call, &said), comm_dist_graph)
                                    : call_end(&call);
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static const struct topology *find(struct mpi_call *call)
{
    const struct topology *topology = call->code == MPI_SUCCESS ? call->comm->topology : NULL;

    if (!topology || topology->kind != MPI_DIST_GRAPH) {
        call_fail(call, MPI_ERR_TOPOLOGY, "comm has no distributed graph");
    }
    return call->code == MPI_SUCCESS ? topology : NULL;
}

API int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    struct mpi_call call = call_on("MPI_Dist_graph_neighbors_count", comm);
    const struct topology *graph = find(&call);

    call_output(&call, indegree, "indegree");
    call_output(&call, outdegree, "outdegree");
    call_output(&call, weighted, "weighted");
    if (call.code == MPI_SUCCESS && graph) {
        *indegree = graph->count;
        *outdegree = graph->edges;
        *weighted = graph->weighted;
    }
    return call_end(&call);
}

/* Room for edges of one kind, as a program gives it. */
struct edge_room {
    int count;
    int *ranks, *weights;
};

static void check_room(struct mpi_call *call, const struct edge_room *room, const char *name)
{
    call_count(call, room->count, "the room");
    if (room->count > 0) {
        call_output(call, room->ranks, name);
    }
}

/* Stores as many as there is room for; `weights` is NULL where the graph has none. */
static void store(const int *ranks, const int *weights, int count, const struct edge_room *room)
{
    bool wanted = weights && room->weights && room->weights != MPI_UNWEIGHTED && room->weights != MPI_WEIGHTS_EMPTY;

    for (int i = 0; i < count && i < room->count; i++) {
        room->ranks[i] = ranks[i];
        if (wanted) {
            room->weights[i] = weights[i];
        }
    }
}

// NOLINTNEXTLINE(readability-function-size): the parameters are the standard's
API int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int *sources, int *sourceweights, int maxoutdegree,
                                 int *destinations, int *destweights)
{
    struct mpi_call call = call_on("MPI_Dist_graph_neighbors", comm);
    const struct topology *graph = find(&call);
    const struct edge_room in = {maxindegree, sources, sourceweights}, out = {maxoutdegree, destinations, destweights};

    check_room(&call, &in, "sources");
    check_room(&call, &out, "destinations");
    if (call.code == MPI_SUCCESS && graph) {
        const int *weights = graph->weighted ? topology_weights(graph) : NULL;

        store(graph->numbers, weights, graph->count, &in);
        store(topology_second(graph), weights ? weights + graph->count : NULL, graph->edges, &out);
    }
    return call_end(&call);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Process topologies: the grid or the graph that a communicator may have. Chapter 6 of MPI; api/topo_make.c attaches
 * them, api/topo_ask.c answers questions about them.
 */
#ifndef REF_IMPL_MPI_COMMUNICATORS_TOPOLOGY_H
#define REF_IMPL_MPI_COMMUNICATORS_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

struct topology {
    unsigned holders;
    int kind;      /* MPI_CART, MPI_GRAPH or MPI_DIST_GRAPH */
    int count;     /* dimensions, or nodes, or edges that lead to this process */
    int edges;     /* of a graph: entries in the lists of all nodes; of a distributed one: edges that lead from here */
    bool weighted; /* a distributed graph whose edges have weights */
    int numbers[]; /* a grid's lengths, then whether each is a ring; where each node's list ends, then all lists;
                      sources, then destinations, then the weights of both */
};

/* Edges of a distributed graph at this process: at the other end of each is `ranks[i]`. */
struct topology_edges {
    int count;
    const int *ranks;
    const int *weights; /* NULL: there are none */
};

/* topology_new - a topology that the caller holds: `count` numbers of each kind of a grid, or `count` ends and
 * `edges` neighbours of a graph. NULL: memory is used up. */
struct topology *topology_new(int kind, int count, const int *first, int edges, const int *second);

/* topology_distributed - the same for a distributed graph, of which this process knows its own edges, all with weights
 * or all without. */
struct topology *topology_distributed(const struct topology_edges *in, const struct topology_edges *out);

/* topology_hold, topology_release - one holder more, one less (also of NULL); the last one to release frees it. */
void topology_hold(struct topology *topology);
void topology_release(struct topology *topology);

/* topology_second - the second half of its numbers. */
const int *topology_second(const struct topology *topology);

/* topology_coords - the coordinates of a rank in a grid: the last one changes fastest. */
void topology_coords(const struct topology *grid, int rank, int *coords);

/* topology_place - the coordinate in a dimension of a grid, which goes round in a ring; -1: there is none. */
int topology_place(const struct topology *grid, int dimension, long coordinate);

/* topology_shift - the rank that is so many places from another in a dimension of a grid, or MPI_PROC_NULL. */
int topology_shift(const struct topology *grid, int rank, int dimension, long displacement);

/* topology_weights - the weights of a distributed graph that has any: of sources, then of destinations. */
const int *topology_weights(const struct topology *graph);

/* topology_degrees - how many blocks a process gets from its neighbours and sends to them: in a grid two for each
 * dimension.
 * topology_source, topology_target - the rank at the other end of each, in order; MPI_PROC_NULL beyond a grid's end. */
void topology_degrees(const struct topology *topology, int rank, int *in, int *out);
int topology_source(const struct topology *topology, int rank, int i);
int topology_target(const struct topology *topology, int rank, int i);

/* topology_neighbors - the neighbours of a node of a graph; stores how many. */
const int *topology_neighbors(const struct topology *graph, int node, int *count);

#endif

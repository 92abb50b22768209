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
    int kind;      /* MPI_CART or MPI_GRAPH */
    int count;     /* dimensions, or nodes */
    int edges;     /* of a graph: entries in the lists of all nodes */
    int numbers[]; /* a grid's lengths, then whether each is a ring; where each node's list ends, then all lists */
};

/* topology_new - a topology that the caller holds: `count` numbers of each kind of a grid, or `count` ends and
 * `edges` neighbours of a graph. NULL: memory is used up. */
struct topology *topology_new(int kind, int count, const int *first, int edges, const int *second);

/* topology_hold, topology_release - one holder more, one less (also of NULL); the last one to release frees it. */
void topology_hold(struct topology *topology);
void topology_release(struct topology *topology);

/* topology_second - the second half of its numbers. */
const int *topology_second(const struct topology *topology);

/* topology_coords - the coordinates of a rank in a grid: the last one changes fastest. */
void topology_coords(const struct topology *grid, int rank, int *coords);

/* topology_place - the coordinate in a dimension of a grid, which goes round in a ring; -1: there is none. */
int topology_place(const struct topology *grid, int dimension, long coordinate);

/* topology_neighbors - the neighbours of a node of a graph; stores how many. */
const int *topology_neighbors(const struct topology *graph, int node, int *count);

#endif

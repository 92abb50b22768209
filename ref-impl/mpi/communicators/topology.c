/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Process topologies: see communicators/topology.h. A communicator and its copies share one.
 */
#include "ref-impl/mpi/communicators/topology.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/include/mpi.h"

struct topology *topology_new(int kind, int count, const int *first, int edges, const int *second)
{
    size_t ones = (size_t)count, others = kind == MPI_CART ? (size_t)count : (size_t)edges;
    struct topology *made = malloc(sizeof(*made) + (ones + others) * sizeof(made->numbers[0]));

    if (!made) {
        return NULL;
    }
    made->holders = 1;
    made->kind = kind;
    made->count = count;
    made->edges = edges;
    if (ones > 0) {
        memcpy(made->numbers, first, ones * sizeof(made->numbers[0]));
    }
    if (others > 0) {
        memcpy(made->numbers + ones, second, others * sizeof(made->numbers[0]));
    }
    return made;
}

void topology_hold(struct topology *topology)
{
    if (topology) {
        topology->holders++;
    }
}

void topology_release(struct topology *topology)
{
    if (topology && --topology->holders == 0) {
        free(topology);
    }
}

const int *topology_second(const struct topology *topology)
{
    return topology->numbers + topology->count;
}

void topology_coords(const struct topology *grid, int rank, int *coords)
{
    for (int i = grid->count - 1; i >= 0; i--) {
        coords[i] = rank % grid->numbers[i];
        rank /= grid->numbers[i];
    }
}

int topology_place(const struct topology *grid, int dimension, long coordinate)
{
    long length = grid->numbers[dimension];

    if (topology_second(grid)[dimension]) {
        coordinate %= length;
        return (int)(coordinate < 0 ? coordinate + length : coordinate);
    }
    return coordinate >= 0 && coordinate < length ? (int)coordinate : -1;
}

const int *topology_neighbors(const struct topology *graph, int node, int *count)
{
    int from = node > 0 ? graph->numbers[node - 1] : 0;

    *count = graph->numbers[node] - from;
    return topology_second(graph) + from;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Process topologies: see communicators/topology.h. A communicator and its copies share one.
 */
#include "ref-impl/mpi/communicators/topology.h"

#include <stdlib.h>

#include "ref-impl/include/mpi.h"

/* One with room for so many numbers. */
static struct topology *room(int kind, int count, int edges, size_t numbers)
{
    struct topology *made = malloc(sizeof(*made) + numbers * sizeof(made->numbers[0]));

    if (made) {
        *made = (struct topology){.holders = 1, .kind = kind, .count = count, .edges = edges};
    }
    return made;
}

/* Puts numbers at a place; the place behind them. */
static int *put(int *place, const int *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        place[i] = numbers[i];
    }
    return place + count;
}

struct topology *topology_new(int kind, int count, const int *first, int edges, const int *second)
{
    int others = kind == MPI_CART ? count : edges;
    struct topology *made = room(kind, count, edges, (size_t)count + (size_t)others);

    if (made) {
        put(put(made->numbers, first, count), second, others);
    }
    return made;
}

struct topology *topology_distributed(const struct topology_edges *in, const struct topology_edges *out)
{
    struct topology *made = room(MPI_DIST_GRAPH, in->count, out->count, 2 * ((size_t)in->count + (size_t)out->count));

    if (made) {
        int *weights = put(put(made->numbers, in->ranks, in->count), out->ranks, out->count);

        made->weighted = in->weights && out->weights;
        if (made->weighted) {
            put(put(weights, in->weights, in->count), out->weights, out->count);
        }
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

int topology_shift(const struct topology *grid, int rank, int dimension, long displacement)
{
    int step = 1, own, place;

    for (int i = grid->count - 1; i > dimension; i--) {
        step *= grid->numbers[i];
    }
    own = rank / step % grid->numbers[dimension];
    place = topology_place(grid, dimension, own + displacement);
    return place < 0 ? MPI_PROC_NULL : rank + (place - own) * step;
}

const int *topology_weights(const struct topology *graph)
{
    return topology_second(graph) + graph->edges;
}

void topology_degrees(const struct topology *topology, int rank, int *in, int *out)
{
    if (topology->kind == MPI_DIST_GRAPH) {
        *in = topology->count;
        *out = topology->edges;
    } else if (topology->kind == MPI_GRAPH) {
        (void)topology_neighbors(topology, rank, in);
        *out = *in;
    } else {
        *in = *out = 2 * topology->count;
    }
}

int topology_source(const struct topology *topology, int rank, int i)
{
    return topology->kind == MPI_DIST_GRAPH ? topology->numbers[i] : topology_target(topology, rank, i);
}

int topology_target(const struct topology *topology, int rank, int i)
{
    int count;

    if (topology->kind == MPI_CART) {
        return topology_shift(topology, rank, i / 2, i % 2 ? 1 : -1);
    }
    return topology->kind == MPI_GRAPH ? topology_neighbors(topology, rank, &count)[i] : topology_second(topology)[i];
}

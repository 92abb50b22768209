/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations between neighbours: in grids, rings, graphs and distributed graphs, begun and at once. What
 * must have come is computed from the topology; a difference is printed.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, LONG = 3000, LARGE = 50000 };

static int rank, size, wrong;

static void expect(int got, int wanted, const char *what, int i)
{
    if (got != wanted && wrong++ < 5) {
        printf("rank %d: %s %d: %d, not %d\n", rank, what, i, got, wanted);
    }
}

static void say(const char *what)
{
    int all;

    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s: %d wrong\n", what, all);
    }
    wrong = 0;
}

/* Who gives a block, and as which of his: the block for edge `edge` of process `giver` has this number. */
static int number(int giver, int edge, int i)
{
    return giver * 10000 + edge * 100 + i % 97;
}

/* The neighbours in the order of blocks, and of what number at its source each block is. */
struct around {
    int in, out;
    int from[MOST], edge[MOST], to[MOST];
};

static void finish(int later, MPI_Request *request)
{
    if (later) {
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

static void allgathers(MPI_Comm comm, const struct around *at, int later)
{
    static int mine[LONG], got[MOST * (LONG + 1)];
    int counts[MOST], displs[MOST], lengths[] = {1, 5, LONG};
    MPI_Request request;

    for (int which = 0; which < 3; which++) {
        int length = lengths[which];

        for (int i = 0; i < length; i++) {
            mine[i] = number(rank, 0, i);
        }
        memset(got, 0xff, sizeof(got));
        if (later) {
            MPI_Ineighbor_allgather(mine, length, MPI_INT, got, length, MPI_INT, comm, &request);
        } else {
            MPI_Neighbor_allgather(mine, length, MPI_INT, got, length, MPI_INT, comm);
        }
        finish(later, &request);
        for (int i = 0; i < at->in * length; i++) {
            int from = at->from[i / length];

            expect(got[i], from < 0 ? -1 : number(from, 0, i % length), "allgather", i);
        }
        memset(got, 0xff, sizeof(got));
        for (int i = 0; i < at->in; i++) {
            counts[i] = length;
            displs[i] = (at->in - 1 - i) * (length + 1);
        }
        if (later) {
            MPI_Ineighbor_allgatherv(mine, length, MPI_INT, got, counts, displs, MPI_INT, comm, &request);
        } else {
            MPI_Neighbor_allgatherv(mine, length, MPI_INT, got, counts, displs, MPI_INT, comm);
        }
        finish(later, &request);
        for (int i = 0; i < at->in; i++) {
            int from = at->from[i];

            for (int k = 0; k < length; k++) {
                expect(got[displs[i] + k], from < 0 ? -1 : number(from, 0, k), "allgatherv", i);
            }
            expect(got[displs[i] + length], -1, "behind allgatherv", i);
        }
    }
}

static void alltoalls(MPI_Comm comm, const struct around *at, int later)
{
    static int mine[MOST * LONG], got[MOST * LONG];
    int out_counts[MOST], out_displs[MOST], in_counts[MOST], in_displs[MOST], lengths[] = {1, 5, LONG};
    MPI_Request request;

    for (int which = 0; which < 3; which++) {
        int length = lengths[which];

        for (int i = 0; i < at->out * length; i++) {
            mine[i] = number(rank, i / length, i % length);
        }
        memset(got, 0xff, sizeof(got));
        if (later) {
            MPI_Ineighbor_alltoall(mine, length, MPI_INT, got, length, MPI_INT, comm, &request);
        } else {
            MPI_Neighbor_alltoall(mine, length, MPI_INT, got, length, MPI_INT, comm);
        }
        finish(later, &request);
        for (int i = 0; i < at->in * length; i++) {
            int from = at->from[i / length];

            expect(got[i], from < 0 ? -1 : number(from, at->edge[i / length], i % length), "alltoall", i);
        }
        for (int i = 0; i < at->out; i++) {
            out_counts[i] = length;
            out_displs[i] = i * length;
        }
        for (int i = 0; i < at->in; i++) {
            in_counts[i] = length;
            in_displs[i] = (at->in - 1 - i) * length;
        }
        memset(got, 0xff, sizeof(got));
        if (later) {
            MPI_Ineighbor_alltoallv(mine, out_counts, out_displs, MPI_INT, got, in_counts, in_displs, MPI_INT, comm,
                                    &request);
        } else {
            MPI_Neighbor_alltoallv(mine, out_counts, out_displs, MPI_INT, got, in_counts, in_displs, MPI_INT, comm);
        }
        finish(later, &request);
        for (int i = 0; i < at->in * length; i++) {
            int block = i / length, from = at->from[block];

            expect(got[in_displs[block] + i % length], from < 0 ? -1 : number(from, at->edge[block], i % length),
                   "alltoallv", i);
        }
    }
}

/* Each block has a type of its own: every second integer. */
static void alltoallws(MPI_Comm comm, const struct around *at, int later)
{
    static int mine[MOST * 8], got[MOST * 8];
    int out_counts[MOST], in_counts[MOST];
    MPI_Aint out_displs[MOST], in_displs[MOST];
    MPI_Datatype types[MOST], every_second;
    MPI_Request request;

    MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    memset(got, 0xff, sizeof(got));
    for (int i = 0; i < MOST; i++) {
        out_counts[i] = in_counts[i] = 1;
        out_displs[i] = i * 8 * (MPI_Aint)sizeof(int);
        in_displs[i] = (MOST - 1 - i) * 8 * (MPI_Aint)sizeof(int);
        types[i] = every_second;
    }
    for (int i = 0; i < at->out * 8; i++) {
        mine[i] = number(rank, i / 8, i % 8);
    }
    if (later) {
        MPI_Ineighbor_alltoallw(mine, out_counts, out_displs, types, got, in_counts, in_displs, types, comm, &request);
    } else {
        MPI_Neighbor_alltoallw(mine, out_counts, out_displs, types, got, in_counts, in_displs, types, comm);
    }
    MPI_Type_free(&every_second);
    finish(later, &request);
    for (int i = 0; i < at->in; i++) {
        for (int k = 0; k < 8; k++) {
            int there = at->from[i] >= 0 && k % 2 == 0;

            expect(got[(MOST - 1 - i) * 8 + k], there ? number(at->from[i], at->edge[i], k) : -1, "alltoallw", i);
        }
    }
}

/* Blocks of two integers, which get a gap behind each. */
static void gaps(MPI_Comm comm, const struct around *at, int later, MPI_Datatype gap)
{
    static int got[MOST * 4];
    int mine[2] = {number(rank, 0, 0), number(rank, 0, 1)};
    MPI_Request request;

    memset(got, 0xff, sizeof(got));
    if (later) {
        MPI_Ineighbor_allgather(mine, 2, MPI_INT, got, 2, gap, comm, &request);
    } else {
        MPI_Neighbor_allgather(mine, 2, MPI_INT, got, 2, gap, comm);
    }
    finish(later, &request);
    for (int i = 0; i < at->in * 4; i++) {
        int there = at->from[i / 4] >= 0 && i % 2 == 0;

        expect(got[i], there ? number(at->from[i / 4], 0, i % 4 / 2) : -1, "gaps", i);
    }
}

/* Each block has a length of its own, in integers that have a gap behind them at one end or at both; and a receive of
 * anything is open, which none of the blocks may go to. */
static void uneven(MPI_Comm comm, const struct around *at, int later)
{
    static int mine[MOST * 8], got[MOST * 8];
    int out_counts[MOST], in_counts[MOST], out_displs[MOST], in_displs[MOST], any = -1, self;
    MPI_Aint far[MOST];
    MPI_Datatype out_types[MOST], in_types[MOST], gap;
    MPI_Request request, open;

    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &gap);
    MPI_Type_commit(&gap);
    MPI_Comm_rank(comm, &self);
    MPI_Irecv(&any, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &open);
    for (int i = 0; i < MOST * 8; i++) {
        mine[i] = number(rank, i / 8, i % 8);
    }
    for (int i = 0; i < MOST; i++) {
        far[i] = i * 8 * (MPI_Aint)sizeof(int);
        out_displs[i] = i * 4;
        in_displs[i] = i * 8;
        out_counts[i] = 1 + i % 3;
        in_counts[i] = i < at->in ? 1 + at->edge[i] % 3 : 0;
        out_types[i] = i % 2 ? MPI_INT : gap;
        in_types[i] = i % 2 ? gap : MPI_INT;
    }
    memset(got, 0xff, sizeof(got));
    if (later) {
        MPI_Ineighbor_alltoallv(mine, out_counts, out_displs, gap, got, in_counts, in_displs, MPI_INT, comm, &request);
    } else {
        MPI_Neighbor_alltoallv(mine, out_counts, out_displs, gap, got, in_counts, in_displs, MPI_INT, comm);
    }
    finish(later, &request);
    for (int i = 0; i < at->in * 8; i++) {
        int block = i / 8, k = i % 8, there = at->from[block] >= 0 && k < in_counts[block];

        expect(got[i], there ? number(at->from[block], at->edge[block], 2 * k) : -1, "uneven", i);
    }
    memset(got, 0xff, sizeof(got));
    if (later) {
        MPI_Ineighbor_alltoallw(mine, out_counts, far, out_types, got, in_counts, far, in_types, comm, &request);
    } else {
        MPI_Neighbor_alltoallw(mine, out_counts, far, out_types, got, in_counts, far, in_types, comm);
    }
    finish(later, &request);
    for (int i = 0; i < at->in * 8; i++) {
        int block = i / 8, k = i % 8, step = block % 2 ? 2 : 1, apart = at->edge[block] % 2 ? 1 : 2;
        int there = at->from[block] >= 0 && k % step == 0 && k / step < in_counts[block];

        expect(got[i], there ? number(at->from[block], at->edge[block], k / step * apart) : -1, "uneven types", i);
    }
    gaps(comm, at, later, gap);
    MPI_Send(&self, 1, MPI_INT, self, 7, comm);
    MPI_Wait(&open, MPI_STATUS_IGNORE);
    expect(any, self, "open receive", 0);
    MPI_Type_free(&gap);
}

static void all(MPI_Comm comm, const struct around *at, const char *what)
{
    for (int later = 0; later < 2; later++) {
        allgathers(comm, at, later);
        alltoalls(comm, at, later);
        alltoallws(comm, at, later);
        uneven(comm, at, later);
    }
    say(what);
}

/* What goes down comes from above, also where both are the same process. */
static void grid(int dimensions, int ring, const char *what)
{
    int dims[3] = {0, 0, 0}, periods[3] = {ring, ring, ring};
    struct around at = {.in = 2 * dimensions, .out = 2 * dimensions};
    MPI_Comm comm;

    MPI_Dims_create(size, dimensions, dims);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &comm);
    for (int i = 0; i < dimensions; i++) {
        MPI_Cart_shift(comm, i, 1, &at.from[2 * i], &at.from[2 * i + 1]);
        at.edge[2 * i] = 2 * i + 1;
        at.edge[2 * i + 1] = 2 * i;
    }
    for (int i = 0; i < at.in; i++) {
        at.from[i] = at.from[i] == MPI_PROC_NULL ? -1 : at.from[i];
    }
    all(comm, &at, what);
    MPI_Comm_free(&comm);
}

/* A star: the first process with all others. */
static void star(void)
{
    int index[MOST], edges[2 * MOST], count = 0;
    struct around at = {.in = rank == 0 ? size - 1 : 1};
    MPI_Comm comm;

    for (int i = 1; i < size; i++) {
        edges[count++] = i;
    }
    index[0] = count;
    for (int i = 1; i < size; i++) {
        edges[count++] = 0;
        index[i] = count;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    at.out = at.in;
    for (int i = 0; i < at.in; i++) {
        at.from[i] = rank == 0 ? i + 1 : 0;
        at.edge[i] = rank == 0 ? 0 : rank - 1;
    }
    all(comm, &at, "star");
    MPI_Comm_free(&comm);
}

/* To the next one twice, to oneself, and to the one after it: nobody sends back, and the weights are those given. */
static void arrows(void)
{
    int next = (rank + 1) % size, far = (rank + 2) % size, before = (rank + size - 1) % size;
    int distant = (rank + 2 * size - 2) % size;
    int from[4] = {before, before, rank, distant}, to[4] = {next, next, rank, far};
    int in_weights[4] = {1, 2, 3, rank + 4}, out_weights[4] = {1, 2, 3, far + 4}, in, out, weighted;
    int ranks[2][4], weights[2][4];
    struct around at = {.in = 4, .out = 4, .edge = {0, 1, 2, 3}};
    MPI_Comm comm, copy;

    if (size < 4) {
        say("arrows"); /* edges that fall together would match in their order */
        return;
    }
    memcpy(at.from, from, sizeof(from));
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, from, in_weights, 4, to, out_weights, MPI_INFO_NULL, 0, &comm);
    MPI_Comm_dup(comm, &copy);
    MPI_Topo_test(copy, &in);
    expect(in, MPI_DIST_GRAPH, "kind", 0);
    MPI_Dist_graph_neighbors_count(copy, &in, &out, &weighted);
    expect(in, 4, "indegree", 0);
    expect(out, 4, "outdegree", 0);
    expect(weighted != 0, 1, "weighted", 0);
    MPI_Dist_graph_neighbors(copy, 4, ranks[0], weights[0], 4, ranks[1], weights[1]);
    for (int i = 0; i < 4; i++) {
        expect(ranks[0][i], from[i], "source", i);
        expect(ranks[1][i], to[i], "destination", i);
        expect(weights[0][i], in_weights[i], "weight of a source", i);
        expect(weights[1][i], out_weights[i], "weight of a destination", i);
    }
    all(copy, &at, "arrows");
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
}

static int by_rank(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

/* The last process says all edges: from each to all that it divides, with their sum as weight; the library may give
 * them in any order. */
static void told_by_one(void)
{
    int sources[MOST], degrees[MOST], destinations[MOST * 8], weights[MOST * 8], n = 0, edges = 0;
    int in, out, weighted, from[MOST], from_weights[MOST], to[MOST], to_weights[MOST];
    struct around at = {.in = 0};
    MPI_Comm comm;

    for (int one = 0; rank == size - 1 && one < size; one++) {
        sources[n] = one;
        degrees[n] = 0;
        for (int other = 0; other < size; other++) {
            if ((other + 1) % (one + 1) == 0) {
                destinations[edges] = other;
                weights[edges++] = one + other;
                degrees[n]++;
            }
        }
        n++;
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations, edges > 0 ? weights : MPI_WEIGHTS_EMPTY,
                          MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    MPI_Dist_graph_neighbors(comm, MOST, from, from_weights, MOST, to, to_weights);
    for (int other = 0; other < size; other++) {
        at.in += (rank + 1) % (other + 1) == 0;
        at.out += (other + 1) % (rank + 1) == 0;
    }
    expect(in, at.in, "indegree", 0);
    expect(out, at.out, "outdegree", 0);
    expect(weighted != 0, 1, "weighted", 0);
    for (int i = 0; i < in; i++) {
        expect((rank + 1) % (from[i] + 1), 0, "source", i);
        expect(from_weights[i], rank + from[i], "weight", i);
    }
    for (int i = 0; i < out; i++) {
        expect((to[i] + 1) % (rank + 1), 0, "destination", i);
        expect(to_weights[i], rank + to[i], "weight", i);
    }
    memcpy(at.from, from, sizeof(from));
    allgathers(comm, &at, 0);
    qsort(from, (size_t)in, sizeof(from[0]), by_rank);
    for (int i = 1; i < in; i++) {
        expect(from[i] > from[i - 1], 1, "each once", i);
    }
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations, size > 0 ? MPI_UNWEIGHTED : weights,
                          MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    expect(weighted, 0, "unweighted", 0);
    MPI_Comm_free(&comm);
    say("told by one");
}

/* The last process says one edge twice, and a third; who asks for fewer neighbours than there are gets so many. */
static void twice(void)
{
    int source = 0, degree = 3, to[3] = {size - 1, size - 1, 0}, weights[3] = {5, 6, 7}, in, out, weighted;
    int ranks[2][4], gotten[2][4], in_wanted = (rank == size - 1 ? 2 : 0) + (rank == 0 ? 1 : 0);
    int out_wanted = rank == 0 ? 3 : 0;
    MPI_Comm comm;

    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == size - 1, &source, &degree, to, weights, MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    expect(in, in_wanted, "indegree", 0);
    expect(out, out_wanted, "outdegree", 0);
    memset(ranks, 0xff, sizeof(ranks));
    memset(gotten, 0xff, sizeof(gotten));
    MPI_Dist_graph_neighbors(comm, in > 0, ranks[0], gotten[0], out > 0, ranks[1], gotten[1]);
    for (int i = 0; i < 4; i++) {
        expect(ranks[0][i] < 0, i >= (in > 0), "room for sources", i);
        expect(gotten[0][i] < 0, i >= (in > 0), "room for their weights", i);
        expect(ranks[1][i] < 0, i >= (out > 0), "room for destinations", i);
        expect(gotten[1][i] < 0, i >= (out > 0), "room for their weights", i);
    }
    MPI_Comm_free(&comm);
    say("twice");
}

/* The first process begins two exchanges and is then in a third; all others begin when they hear of it. What is only
 * begun does not wait, and each exchange is with the same one of the others. */
static void in_turn(void)
{
    int mine[3], got[3][2], ring = 1, from, to, word = 0;
    MPI_Request requests[2];
    MPI_Comm comm;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &ring, 0, &comm);
    MPI_Cart_shift(comm, 0, 1, &from, &to);
    for (int round = 0; round < 20; round++) {
        if (rank != 0) {
            MPI_Recv(&word, 1, MPI_INT, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < 3; i++) {
            mine[i] = number(rank, i, round);
        }
        MPI_Ineighbor_allgather(&mine[0], 1, MPI_INT, got[0], 1, MPI_INT, comm, &requests[0]);
        MPI_Ineighbor_allgather(&mine[1], 1, MPI_INT, got[1], 1, MPI_INT, comm, &requests[1]);
        for (int peer = 1; rank == 0 && peer < size; peer++) {
            MPI_Send(&round, 1, MPI_INT, peer, round, MPI_COMM_WORLD);
        }
        MPI_Neighbor_allgather(&mine[2], 1, MPI_INT, got[2], 1, MPI_INT, comm);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++) {
            expect(got[i][0], number(from, i, round), "in turn from below", i);
            expect(got[i][1], number(to, i, round), "in turn from above", i);
        }
    }
    MPI_Comm_free(&comm);
    say("in turn");
}

/* Several begun on one communicator, and a broadcast between them. */
static void several(void)
{
    int mine[3][2], got[3][2], dims[1] = {0}, ring[1] = {1}, root = 7, from, to;
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Comm comm;

    MPI_Dims_create(size, 1, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, ring, 0, &comm);
    MPI_Cart_shift(comm, 0, 1, &from, &to);
    for (int i = 0; i < 3; i++) {
        mine[i][0] = number(rank, 2 * i, 0);
        mine[i][1] = number(rank, 2 * i + 1, 0);
        MPI_Ineighbor_alltoall(mine[i], 1, MPI_INT, got[i], 1, MPI_INT, comm, &requests[i]);
    }
    root = rank == 0 ? 42 : 0;
    MPI_Ibcast(&root, 1, MPI_INT, 0, comm, &requests[3]);
    MPI_Waitall(4, requests, statuses);
    expect(root, 42, "broadcast", 0);
    for (int i = 0; i < 3; i++) {
        expect(got[i][0], number(from, 2 * i + 1, 0), "from below", i);
        expect(got[i][1], number(to, 2 * i, 0), "from above", i);
    }
    MPI_Comm_free(&comm);
    say("several");
}

/* The first process gives a long block to all others and writes over it as soon as the operation has returned. The
 * others come late: they wait a while for a word that it can send only then. */
static void overwritten(int later)
{
    static int block[LARGE], got[LARGE];
    int to[MOST], outs = rank == 0 ? size - 1 : 0, root = 0, word = 0, early = 0;
    MPI_Request request, told;
    MPI_Comm comm;
    double begin;

    for (int i = 0; i < size - 1; i++) {
        to[i] = i + 1;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank != 0, &root, MPI_UNWEIGHTED, outs, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &comm);
    for (int i = 0; i < LARGE; i++) {
        block[i] = number(rank, 0, i);
    }
    begin = MPI_Wtime();
    if (rank != 0) {
        MPI_Irecv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &told);
        while (!early && MPI_Wtime() - begin < 0.02) {
            MPI_Test(&told, &early, MPI_STATUS_IGNORE);
        }
    }
    if (later) {
        MPI_Ineighbor_allgather(block, LARGE, MPI_INT, got, LARGE, MPI_INT, comm, &request);
    } else {
        MPI_Neighbor_allgather(block, LARGE, MPI_INT, got, LARGE, MPI_INT, comm);
    }
    finish(later, &request);
    memset(block, 0xff, sizeof(block));
    for (int i = 0; i < outs; i++) {
        MPI_Send(&rank, 1, MPI_INT, to[i], 1, MPI_COMM_WORLD);
    }
    for (int i = 0; rank != 0 && i < LARGE; i++) {
        expect(got[i], number(0, 0, i), "overwritten", i);
    }
    finish(rank != 0 && !early, &told);
    MPI_Comm_free(&comm);
    say("overwritten");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid(1, 0, "row");
    grid(1, 1, "ring");
    grid(2, 0, "grid");
    grid(2, 1, "torus");
    grid(3, 1, "torus of three dimensions");
    star();
    arrows();
    told_by_one();
    twice();
    in_turn();
    several();
    overwritten(0);
    overwritten(1);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Grids and graphs: who is whose neighbour, rows and columns, and what neighbours tell each other.
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

/* Prints, in the order of world ranks, four numbers of each. */
static void say(const char *what, const int mine[4])
{
    int all[4 * 64];

    MPI_Gather(mine, 4, MPI_INT, all, 4, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", what);
        for (int i = 0; i < size; i++) {
            printf(" (%d %d %d %d)", all[4 * i], all[4 * i + 1], all[4 * i + 2], all[4 * i + 3]);
        }
        printf("\n");
    }
}

/* MPI_PROC_NULL has another number in each library. */
static int shown(int neighbor)
{
    return neighbor == MPI_PROC_NULL ? -1 : neighbor;
}

static void lengths(void)
{
    static const int cases[][4] = {{12, 0, 0, 1}, {6, 0, 0, 0},  {24, 0, 0, 0},
                                   {7, 0, 0, 1},  {60, 0, 5, 0}, {1, 0, 0, 0}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int dims[3] = {cases[i][1], cases[i][2], cases[i][3]};

        MPI_Dims_create(cases[i][0], 3, dims);
        if (rank == 0) {
            printf("%d is %d x %d x %d\n", cases[i][0], dims[0], dims[1], dims[2]);
        }
    }
}

/* What a grid says of this process, and what its neighbours have. */
static void look_at(const char *what, MPI_Comm grid)
{
    int dims[2], periods[2], coords[2], own, found, from[2], to[2], got[2] = {-1, -1};

    MPI_Cart_get(grid, 2, dims, periods, coords);
    MPI_Comm_rank(grid, &own);
    MPI_Cart_rank(grid, coords, &found);
    say(what, (int[]){dims[0] * 100 + dims[1], periods[0] * 10 + periods[1], coords[0] * 100 + coords[1], found - own});
    for (int way = 0; way < 2; way++) {
        MPI_Cart_shift(grid, way, way ? -2 : 1, &from[way], &to[way]);
        MPI_Sendrecv(&own, 1, MPI_INT, to[way], 5, &got[way], 1, MPI_INT, from[way], 5, grid, MPI_STATUS_IGNORE);
    }
    say("from and to", (int[]){shown(from[0]), shown(to[0]), shown(from[1]), shown(to[1])});
    say("heard", (int[]){got[0], got[1], coords[0], coords[1]});
}

static void grids(void)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, outside[2] = {-1, 0}, count, kind, at[3] = {-7, -7, -7};
    MPI_Comm grid, copy, row, few;

    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    look_at("grid", grid);
    MPI_Comm_dup(grid, &copy);
    MPI_Topo_test(copy, &kind);
    look_at(kind == MPI_CART ? "copy" : "no grid", copy);
    MPI_Cart_rank(grid, outside, &count);
    MPI_Cart_coords(grid, size - 1, 3, at);
    say("the ring goes round", (int[]){count, at[0], at[1], at[2]});
    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    MPI_Cartdim_get(row, &count);
    MPI_Comm_rank(row, &at[0]);
    MPI_Comm_size(row, &at[1]);
    MPI_Allreduce(&rank, &at[2], 1, MPI_INT, MPI_SUM, row);
    say("rows", (int[]){count, at[0], at[1], at[2]});
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){(size + 1) / 2}, periods, 0, &few);
    say("some", (int[]){few == MPI_COMM_NULL, 0, 0, 0});
    if (few != MPI_COMM_NULL) {
        MPI_Comm_free(&few);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&grid);
}

/* Everybody knows rank 0, and rank 0 knows everybody. */
static void stars(void)
{
    int ends[64], edges[128], got_ends[64], got_edges[128], nodes, lines, next = 0, count = 0, neighbors[64] = {-1, -1};
    int kind;
    MPI_Comm star;

    for (int i = 0; i < size; i++) {
        for (int k = 1; i == 0 && k < size; k++) {
            edges[next++] = k;
        }
        if (i > 0) {
            edges[next++] = 0;
        }
        ends[i] = next;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &star);
    MPI_Topo_test(star, &kind);
    MPI_Graphdims_get(star, &nodes, &lines);
    MPI_Graph_get(star, 64, 128, got_ends, got_edges);
    MPI_Graph_neighbors_count(star, rank, &count);
    MPI_Graph_neighbors(star, rank, 64, neighbors);
    say("star", (int[]){kind == MPI_GRAPH, nodes, lines, count});
    say("lists", (int[]){got_ends[size - 1], lines > 0 ? got_edges[lines - 1] : -1, neighbors[0],
                         count > 0 ? neighbors[count - 1] : -1});
    MPI_Graph_map(MPI_COMM_WORLD, size, ends, edges, &nodes);
    say("map", (int[]){nodes == rank, 0, 0, 0});
    MPI_Comm_free(&star);
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    say("none", (int[]){kind == MPI_UNDEFINED, 0, 0, 0});
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    lengths();
    grids();
    stars();
    MPI_Finalize();
    return 0;
}

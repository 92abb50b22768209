/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Topologies and hints: which are possible, what is refused. What they are between processes: programs/topologies.c.
 */
#include <limits.h>
#include <string.h>

#include "tests/mpi/play.h"
#include "tests/unit/tap.h"

static void is(int nodes, int count, const int *given, const int *expected)
{
    int dims[4] = {-9, -9, -9, -9};

    memcpy(dims, given, (size_t)count * sizeof(int));
    CHECK_EQ(MPI_Dims_create(nodes, count, dims), MPI_SUCCESS, "lengths");
    for (int i = 0; i < count; i++) {
        CHECK(dims[i] == expected[i], "%d nodes in %d dimensions: length %d is %d (is %d)", nodes, count, i,
              expected[i], dims[i]);
    }
}

static void lengths(void)
{
    int dims[2] = {0, 2}, none[1] = {-1};

    is(72, 2, (int[]){0, 0}, (int[]){9, 8});
    is(30, 3, (int[]){0, 0, 0}, (int[]){5, 3, 2});
    is(1000000, 2, (int[]){0, 0}, (int[]){1000, 1000});
    is(INT_MAX, 2, (int[]){0, 0}, (int[]){INT_MAX, 1});
    is(1, 4, (int[]){0, 0, 0, 0}, (int[]){1, 1, 1, 1});
    is(16, 4, (int[]){0, 0, 4, 0}, (int[]){2, 2, 4, 1});
    is(6, 2, (int[]){2, 3}, (int[]){2, 3});
    is(1, 0, (int[]){0}, (int[]){0});
    CHECK_EQ(MPI_Dims_create(7, 2, dims), MPI_ERR_DIMS, "7 is no multiple of 2");
    CHECK_EQ(MPI_Dims_create(6, 1, &dims[1]), MPI_ERR_DIMS, "nothing is left to choose");
    CHECK_EQ(MPI_Dims_create(6, 1, none), MPI_ERR_DIMS, "a negative length");
    CHECK_EQ(MPI_Dims_create(0, 1, dims), MPI_ERR_ARG, "no nodes");
    CHECK_EQ(MPI_Dims_create(4, 1, NULL), MPI_ERR_ARG, "no room");
    CHECK(dims[0] == 0 && dims[1] == 2, "nothing is written where it fails");
}

static void grids(void)
{
    int one[2] = {1, 1}, two[2] = {2, 1}, zero[2] = {0, 1}, ring[2] = {1, 0}, rank = -1, other = -1, got[2] = {-1, -1};
    MPI_Comm grid = MPI_COMM_NULL, row = MPI_COMM_NULL, point;

    CHECK_EQ(MPI_Cart_create(MPI_COMM_SELF, 2, two, ring, 0, &grid), MPI_ERR_DIMS, "more places than processes");
    CHECK_EQ(MPI_Cart_create(MPI_COMM_SELF, 2, zero, ring, 0, &grid), MPI_ERR_DIMS, "a length of 0");
    CHECK_EQ(MPI_Cart_create(MPI_COMM_SELF, 2, (int[]){INT_MAX, INT_MAX}, ring, 0, &grid), MPI_ERR_DIMS,
             "far too many");
    CHECK_EQ(MPI_Cart_create(MPI_COMM_SELF, -1, one, ring, 0, &grid), MPI_ERR_COUNT, "fewer than none");
    CHECK_EQ(MPI_Cart_create(MPI_COMM_SELF, 2, NULL, ring, 0, &grid), MPI_ERR_ARG, "no lengths");
    CHECK_EQ(MPI_Cart_sub(MPI_COMM_SELF, one, &row), MPI_ERR_TOPOLOGY, "no grid to take a part of");
    CHECK_EQ(MPI_Cartdim_get(MPI_COMM_WORLD, &rank), MPI_ERR_TOPOLOGY, "no grid to ask for");
    CHECK_EQ(MPI_Cart_map(MPI_COMM_SELF, 2, one, ring, &rank), MPI_SUCCESS, "a rank");
    CHECK_EQ(rank, 0, "the same as before");
    CHECK_EQ(MPI_Cart_create(MPI_COMM_SELF, 2, one, ring, 1, &grid), MPI_SUCCESS, "a grid of one");
    CHECK_EQ(MPI_Cart_shift(grid, 2, 1, &rank, &other), MPI_ERR_ARG, "a third dimension");
    CHECK_EQ(MPI_Cart_shift(grid, 0, INT_MIN, &rank, &other), MPI_SUCCESS, "far round the ring");
    CHECK(rank == 0 && other == 0, "it is its own neighbour");
    CHECK_EQ(MPI_Cart_shift(grid, 1, 1, &rank, &other), MPI_SUCCESS, "beyond the edge");
    CHECK(rank == MPI_PROC_NULL && other == MPI_PROC_NULL, "nobody is there");
    CHECK_EQ(MPI_Cart_rank(grid, (int[]){-5, 0}, &rank), MPI_SUCCESS, "round the ring");
    CHECK_EQ(MPI_Cart_rank(grid, (int[]){0, 1}, &rank), MPI_ERR_ARG, "beyond the edge");
    CHECK_EQ(MPI_Cart_coords(grid, 1, 2, got), MPI_ERR_RANK, "no such rank");
    CHECK_EQ(MPI_Cart_coords(grid, 0, 1, got), MPI_SUCCESS, "room for one");
    CHECK(got[0] == 0 && got[1] == -1, "one is written");
    CHECK_EQ(MPI_Graphdims_get(grid, &rank, &other), MPI_ERR_TOPOLOGY, "it is no graph");
    CHECK_EQ(MPI_Cart_sub(grid, (int[]){0, 0}, &point), MPI_SUCCESS, "no dimension is kept");
    CHECK_EQ(MPI_Cartdim_get(point, &rank), MPI_SUCCESS, "a grid still");
    CHECK_EQ(rank, 0, "of no dimension");
    CHECK_EQ(MPI_Comm_free(&point), MPI_SUCCESS, "goes");
    CHECK_EQ(MPI_Comm_free(&grid), MPI_SUCCESS, "goes");
}

static void graphs(void)
{
    int count = -1, neighbors[2] = {-1, -1};
    MPI_Comm graph;

    CHECK_EQ(MPI_Graph_create(MPI_COMM_SELF, 2, (int[]){0, 0}, NULL, 0, &graph), MPI_ERR_ARG, "too many nodes");
    CHECK_EQ(MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){-1}, NULL, 0, &graph), MPI_ERR_ARG, "an end before the start");
    CHECK_EQ(MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){1}, NULL, 0, &graph), MPI_ERR_ARG, "no list");
    CHECK_EQ(MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){1}, 0, &graph), MPI_ERR_ARG, "no such neighbour");
    CHECK_EQ(MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){2}, (int[]){0, 0}, 0, &graph), MPI_SUCCESS, "twice its own");
    CHECK_EQ(MPI_Graph_neighbors_count(graph, 0, &count), MPI_SUCCESS, "how many");
    CHECK_EQ(count, 2, "both count");
    CHECK_EQ(MPI_Graph_neighbors(graph, 0, 1, neighbors), MPI_SUCCESS, "room for one");
    CHECK(neighbors[0] == 0 && neighbors[1] == -1, "one is written");
    CHECK_EQ(MPI_Graph_neighbors(graph, 1, 1, neighbors), MPI_ERR_RANK, "no such rank");
    CHECK_EQ(MPI_Comm_free(&graph), MPI_SUCCESS, "goes");
}

static void hints(void)
{
    char key[MPI_MAX_INFO_KEY + 2], value[4] = "...", all[8] = "";
    int flag = -1, octets = 0;
    MPI_Info info, freed;

    memset(key, 'k', sizeof(key));
    key[sizeof(key) - 1] = '\0';
    CHECK_EQ(MPI_Info_create(&info), MPI_SUCCESS, "hints");
    CHECK_EQ(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY, "a key that is too long");
    CHECK_EQ(MPI_Info_set(info, "", "v"), MPI_ERR_INFO_KEY, "no key");
    CHECK_EQ(MPI_Info_set(info, key + 1, ""), MPI_ERR_INFO_VALUE, "no value");
    CHECK_EQ(MPI_Info_set(info, key + 1, "long"), MPI_SUCCESS, "the longest key");
    CHECK_EQ(MPI_Info_get(info, key + 1, 2, value, &flag), MPI_SUCCESS, "room for two characters");
    CHECK(flag == 1 && strcmp(value, "lo") == 0, "two characters and the end");
    CHECK_EQ(MPI_Info_get_string(info, key + 1, &octets, NULL, &flag), MPI_SUCCESS, "no room");
    CHECK(flag == 1 && octets == 5, "what the value takes with its end");
    octets = 3;
    memcpy(value, "...", sizeof(value));
    CHECK_EQ(MPI_Info_get_string(info, key + 1, &octets, value, &flag), MPI_SUCCESS, "room for two and the end");
    CHECK(octets == 5 && strcmp(value, "lo") == 0, "cut");
    octets = sizeof(all);
    CHECK_EQ(MPI_Info_get_string(info, key + 1, &octets, all, &flag), MPI_SUCCESS, "room enough");
    CHECK(octets == 5 && strcmp(all, "long") == 0, "whole");
    CHECK_EQ(MPI_Info_get_string(info, "none", &octets, all, &flag), MPI_SUCCESS, "not there");
    CHECK(flag == 0 && octets == 5 && strcmp(all, "long") == 0, "nothing is stored");
    octets = -1;
    CHECK_EQ(MPI_Info_get_string(info, key + 1, &octets, all, &flag), MPI_ERR_COUNT, "a negative length");
    CHECK_EQ(MPI_Info_delete(info, "none"), MPI_ERR_INFO_NOKEY, "not there");
    CHECK_EQ(MPI_Info_get_nthkey(info, 1, key), MPI_ERR_ARG, "no second one");
    freed = info;
    CHECK_EQ(MPI_Info_free(&info), MPI_SUCCESS, "freed");
    CHECK_EQ(MPI_Info_free(&freed), MPI_ERR_INFO, "only once");
    CHECK_EQ(MPI_Info_create(&info), MPI_SUCCESS, "what the program leaves behind goes with the library");
}

int main(void)
{
    play_open(0, "0", "0");
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    TAP_RUN(lengths);
    TAP_RUN(grids);
    TAP_RUN(graphs);
    TAP_RUN(hints);
    play_close();
    return tap_done();
}

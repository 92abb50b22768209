/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A matrix that is spread by rows is transposed three times: by puts of single elements in access regions, by gets of
 * columns of which each has its handle, and by values. Split barriers lie between, of which each has a name; a node
 * that names another one, or none, is told what the specification says. The rates of each way are printed by node 0 on
 * standard error.
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <stdbool.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { ROWS = 12, WAYS = 3 };

static gasnet_seginfo_t *segment;
static gasnet_node_t me, count;
static uint64_t side;

/* Row `row` of matrix `which` of a node. */
static uint64_t *row_of(gasnet_node_t node, int which, uint64_t row)
{
    return (uint64_t *)segment[node].addr + ((uint64_t)which * ROWS + row) * side;
}

static uint64_t element(uint64_t row, uint64_t column)
{
    return row << 32 | column;
}

/* Elements to where they belong; one region for each row, all of them ended by one call. */
static void by_regions(int to, uint64_t *from)
{
    gasnet_handle_t regions[ROWS];

    for (uint64_t row = 0; row < ROWS; row++) {
        gasnet_begin_nbi_accessregion();
        for (uint64_t column = 0; column < side; column++) {
            gasnet_node_t owner = (gasnet_node_t)(column / ROWS);

            gasnet_put_nbi(owner, row_of(owner, to, column % ROWS) + me * ROWS + row, from + row * side + column, 8);
        }
        regions[row] = gasnet_end_nbi_accessregion();
    }
    gasnet_wait_syncnbi_all(); /* none is outside a region */
    while (gasnet_try_syncnb_some(regions, ROWS) == GASNET_ERR_NOT_READY) {
    }
    gasnet_wait_syncnb_all(regions, ROWS);
}

/* Elements from where they are, each with its own handle, those of a row waited for from behind. */
static void by_handles(int from, uint64_t *to)
{
    gasnet_handle_t *handles = calloc(side, sizeof(*handles));

    HOLDS(handles);
    for (uint64_t row = 0; row < ROWS; row++) {
        for (uint64_t column = 0; column < side; column++) {
            gasnet_node_t owner = (gasnet_node_t)(column / ROWS);

            handles[column] =
                gasnet_get_nb(to + row * side + column, owner, row_of(owner, from, column % ROWS) + me * ROWS + row, 8);
        }
        for (uint64_t column = side; column-- > 0;) {
            gasnet_wait_syncnb(handles[column]);
        }
    }
    free(handles);
}

static void by_values(int from, uint64_t *to)
{
    for (uint64_t row = 0; row < ROWS; row++) {
        for (uint64_t column = 0; column < side; column++) {
            gasnet_node_t owner = (gasnet_node_t)(column / ROWS);

            to[row * side + column] = gasnet_get_val(owner, row_of(owner, from, column % ROWS) + me * ROWS + row, 8);
        }
    }
}

static void check(const uint64_t *rows, bool transposed)
{
    for (uint64_t row = 0; row < ROWS; row++) {
        for (uint64_t column = 0; column < side; column++) {
            uint64_t at = me * ROWS + row;

            HOLDS(rows[row * side + column] == (transposed ? element(column, at) : element(at, column)));
        }
    }
}

/* What is done between the halves of a barrier is done before all have come. */
static void named(int id)
{
    int code;

    gasnet_barrier_notify(id, 0);
    HOLDS(gasnet_get_val(me, segment[me].addr, 8) == *(uint64_t *)segment[me].addr);
    while ((code = gasnet_barrier_try(id, 0)) == GASNET_ERR_NOT_READY) {
    }
    MUST(code);
}

/* A barrier without a name goes with any; two names do not, and all are told; nor does the word that it mismatches. */
static void mismatches(void)
{
    bool last = me == count - 1;

    gasnet_barrier_notify(last ? 0 : 5, last ? GASNET_BARRIERFLAG_ANONYMOUS : 0);
    MUST(gasnet_barrier_wait(last ? 0 : 5, last ? GASNET_BARRIERFLAG_ANONYMOUS : 0));
    gasnet_barrier_notify(last ? 6 : 5, 0);
    HOLDS(gasnet_barrier_wait(last ? 6 : 5, 0) == (count > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK));
    gasnet_barrier_notify(5, last ? GASNET_BARRIERFLAG_MISMATCH : 0);
    HOLDS(gasnet_barrier_wait(5, last ? GASNET_BARRIERFLAG_MISMATCH : 0) == GASNET_ERR_BARRIER_MISMATCH);
    named(5);
}

int main(int argc, char **argv)
{
    double begun[WAYS + 1];
    uint64_t *local;

    MUST(gasnet_init(&argc, &argv));
    me = gasnet_mynode();
    count = gasnet_nodes();
    side = (uint64_t)count * ROWS;
    MUST(gasnet_attach(NULL, 0, (2 * ROWS * side * 8 / GASNET_PAGESIZE + 1) * GASNET_PAGESIZE, 0));
    segment = segments();
    local = calloc(ROWS * side, sizeof(*local));
    HOLDS(local);
    for (uint64_t i = 0; i < ROWS * side; i++) {
        local[i] = element(me * ROWS + i / side, i % side);
    }
    named(1);
    begun[0] = seconds_now();
    by_regions(0, local);
    named(2);
    check(row_of(me, 0, 0), true);
    begun[1] = seconds_now();
    by_handles(0, local);
    named(3);
    check(local, false);
    begun[2] = seconds_now();
    memset(local, 0, ROWS * side * sizeof(*local));
    by_values(0, local);
    named(4);
    begun[3] = seconds_now();
    check(local, false);
    mismatches();
    if (me == 0) {
        for (int way = 0; way < WAYS; way++) {
            fprintf(stderr, "way %d: %.0f elements a second\n", way,
                    (double)(ROWS * side) / (begun[way + 1] - begun[way]));
        }
        puts("right");
        fflush(stdout);
    }
    barrier_all();
    gasnet_exit(0);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Heat in a plate: each node has a strip of rows, and puts its first and last one into its neighbours' segments before
 * every step. Node 0 compares with the same plate computed by one. stencil [STEPS]
 */
#define GASNET_SEQ 1
#include <gasnet.h>
#include <string.h>

#include "tests/gasnet/programs/must.h"

enum { COLUMNS = 200, ROWS = 20 };

typedef double row_t[COLUMNS];

static gasnet_seginfo_t *segment;
static gasnet_node_t me, count;

static row_t *rows_of(gasnet_node_t node, int which)
{
    return (row_t *)segment[node].addr + which * (ROWS + 2);
}

static void relax(row_t *from, row_t *to, int rows)
{
    for (int i = 1; i <= rows; i++) {
        to[i][0] = from[i][0];
        to[i][COLUMNS - 1] = from[i][COLUMNS - 1];
        for (int j = 1; j < COLUMNS - 1; j++) {
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
        }
    }
}

/* Hot at the left, cold at the right, wherever a plate begins. */
static void heat(row_t *rows, int many)
{
    memset(rows, 0, sizeof(row_t) * (size_t)many);
    for (int i = 0; i < many; i++) {
        rows[i][0] = 100.0 + i % 3;
        rows[i][COLUMNS - 1] = -10.0;
    }
}

static void exchange(int which, int step)
{
    row_t *own = rows_of(me, which);

    if (me > 0) {
        gasnet_put_nbi_bulk(me - 1, rows_of(me - 1, which)[ROWS + 1], own[1], sizeof(row_t));
    }
    if (me + 1 < count) {
        gasnet_put_nbi_bulk(me + 1, rows_of(me + 1, which)[0], own[ROWS], sizeof(row_t));
    }
    gasnet_wait_syncnbi_puts();
    gasnet_barrier_notify(step, 0);
    MUST(gasnet_barrier_wait(step, 0));
}

static void compare(int which, int steps)
{
    int many = ROWS * (int)count;
    row_t *whole[2] = {calloc((size_t)many + 2, sizeof(row_t)), calloc((size_t)many + 2, sizeof(row_t))};
    row_t *strip = calloc(ROWS, sizeof(row_t));

    HOLDS(whole[0] && whole[1] && strip);
    for (int w = 0; w < 2; w++) {
        for (gasnet_node_t node = 0; node < count; node++) {
            row_t fresh[ROWS + 2];

            heat(fresh, ROWS + 2);
            memcpy(whole[w][1 + node * ROWS], fresh[1], ROWS * sizeof(row_t));
        }
    }
    heat(whole[0], 1);
    memcpy(whole[1][0], whole[0][0], sizeof(row_t));
    for (int w = 0; w < 2; w++) {
        row_t fresh[ROWS + 2];

        heat(fresh, ROWS + 2);
        memcpy(whole[w][many + 1], fresh[ROWS + 1], sizeof(row_t));
    }
    for (int step = 0; step < steps; step++) {
        relax(whole[step % 2], whole[(step + 1) % 2], many);
    }
    for (gasnet_node_t node = 0; node < count; node++) {
        gasnet_get_bulk(strip, node, rows_of(node, which)[1], ROWS * sizeof(row_t));
        HOLDS(!memcmp(strip, whole[which][1 + node * ROWS], ROWS * sizeof(row_t)));
    }
    free(whole[0]);
    free(whole[1]);
    free(strip);
    printf("right: %u strips, %d steps\n", count, steps);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int steps;

    MUST(gasnet_init(&argc, &argv));
    MUST(gasnet_attach(NULL, 0, (2 * (ROWS + 2) * sizeof(row_t) + 4095) / 4096 * 4096, 0));
    steps = argc > 1 ? atoi(argv[1]) : 60;
    HOLDS(steps > 0);
    me = gasnet_mynode();
    count = gasnet_nodes();
    segment = segments();
    heat(rows_of(me, 0), ROWS + 2);
    heat(rows_of(me, 1), ROWS + 2);
    barrier_all();
    for (int step = 0; step < steps; step++) {
        exchange(step % 2, step);
        relax(rows_of(me, step % 2), rows_of(me, (step + 1) % 2), ROWS);
    }
    barrier_all();
    if (me == 0) {
        compare(steps % 2, steps);
    }
    barrier_all();
    gasnet_exit(0);
}

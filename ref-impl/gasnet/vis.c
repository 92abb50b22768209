/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * GASNet's extension for vector, indexed and strided data (gasnet_vis.h). Both sides are walked through together; each
 * stretch of octets that lies together on both is a put or get of its own, and all are one operation.
 */
#include <gasnet_vis.h>
#include <stdbool.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/extended.h"
#include "ref-impl/gasnet/transfers/ops.h"

/* A side of a transfer, and how far it has been walked through: pieces of a list, or addresses of pieces that are all
 * `length` long. */
struct side {
    const gasnet_memvec_t *list;
    void *const *addresses;
    size_t length, count;
    size_t at, within;
};

/* Which node is written to or read from, and the two sides. */
struct route {
    bool puts;
    gasnet_node_t node;
    struct side to, from;
};

/* The same of strided ones, whose levels are shared. */
struct grid {
    bool puts;
    gasnet_node_t node;
    char *to, *from;
    const size_t *to_strides, *from_strides;
    const size_t *count;
};

static size_t length_of(const struct side *side)
{
    return side->list ? side->list[side->at].len : side->length;
}

/* Where a side is, and how many octets lie together there; 0 at its end. */
static size_t here(struct side *side, char **address)
{
    while (side->at < side->count && side->within == length_of(side)) {
        side->at++;
        side->within = 0;
    }
    if (side->at == side->count) {
        return 0;
    }
    *address = (char *)(side->list ? side->list[side->at].addr : side->addresses[side->at]) + side->within;
    return length_of(side) - side->within;
}

static void move_stretch(struct gasnet_op *op, const struct route *route, char *to, char *from, size_t octets)
{
    if (route->puts) {
        extended_put(op, route->node, to, from, octets, false);
    } else {
        extended_get(op, to, route->node, from, octets);
    }
}

static void move_lists(struct gasnet_op *op, struct route route)
{
    size_t there, left, octets;
    char *to, *from;

    while ((there = here(&route.to, &to)) > 0 && (left = here(&route.from, &from)) > 0) {
        octets = there < left ? there : left;
        move_stretch(op, &route, to, from, octets);
        route.to.within += octets;
        route.from.within += octets;
    }
    if (here(&route.to, &to) != here(&route.from, &from)) {
        fatal_end("the two sides of a vector or indexed transfer have different lengths");
    }
}

/* Moves what there is at a level and below. */
static void move_level(struct gasnet_op *op, const struct grid *grid, char *to, char *from, size_t level)
{
    const struct route route = {.puts = grid->puts, .node = grid->node};

    if (level == 0) {
        if (grid->count[0] > 0) {
            move_stretch(op, &route, to, from, grid->count[0]);
        }
        return;
    }
    for (size_t i = 0; i < grid->count[level]; i++) {
        move_level(op, grid, to + i * grid->to_strides[level - 1], from + i * grid->from_strides[level - 1], level - 1);
    }
}

static gasnet_handle_t lists_begin(struct route route)
{
    struct gasnet_op *op = ops_new();

    move_lists(op, route);
    return extended_handle(op);
}

static void grid_move(struct gasnet_op *op, struct grid grid, size_t levels)
{
    move_level(op, &grid, grid.to, grid.from, levels);
}

static gasnet_handle_t grid_begin(struct grid grid, size_t levels)
{
    struct gasnet_op *op = ops_new();

    grid_move(op, grid, levels);
    return extended_handle(op);
}

static struct side vector(size_t count, gasnet_memvec_t const *list)
{
    return (struct side){.list = list, .count = count};
}

static struct side indexed(size_t count, void *const *addresses, size_t length)
{
    return (struct side){.addresses = addresses, .length = length, .count = count};
}

/* ---- vector ------------------------------------------------------------------------------------------------------ */

gasnet_handle_t gasnet_putv_nb_bulk(gasnet_node_t node, size_t to_count, gasnet_memvec_t const to[], size_t from_count,
                                    gasnet_memvec_t const from[])
{
    return lists_begin((struct route){true, node, vector(to_count, to), vector(from_count, from)});
}

gasnet_handle_t gasnet_getv_nb_bulk(size_t to_count, gasnet_memvec_t const to[], gasnet_node_t node, size_t from_count,
                                    gasnet_memvec_t const from[])
{
    return lists_begin((struct route){false, node, vector(to_count, to), vector(from_count, from)});
}

void gasnet_putv_bulk(gasnet_node_t node, size_t to_count, gasnet_memvec_t const to[], size_t from_count,
                      gasnet_memvec_t const from[])
{
    gasnet_wait_syncnb(gasnet_putv_nb_bulk(node, to_count, to, from_count, from));
}

void gasnet_getv_bulk(size_t to_count, gasnet_memvec_t const to[], gasnet_node_t node, size_t from_count,
                      gasnet_memvec_t const from[])
{
    gasnet_wait_syncnb(gasnet_getv_nb_bulk(to_count, to, node, from_count, from));
}

void gasnet_putv_nbi_bulk(gasnet_node_t node, size_t to_count, gasnet_memvec_t const to[], size_t from_count,
                          gasnet_memvec_t const from[])
{
    move_lists(ops_implicit(), (struct route){true, node, vector(to_count, to), vector(from_count, from)});
}

void gasnet_getv_nbi_bulk(size_t to_count, gasnet_memvec_t const to[], gasnet_node_t node, size_t from_count,
                          gasnet_memvec_t const from[])
{
    move_lists(ops_implicit(), (struct route){false, node, vector(to_count, to), vector(from_count, from)});
}

/* ---- indexed ----------------------------------------------------------------------------------------------------- */

gasnet_handle_t gasnet_puti_nb_bulk(gasnet_node_t node, size_t to_count, void *const to[], size_t to_length,
                                    size_t from_count, void *const from[], size_t from_length)
{
    return lists_begin(
        (struct route){true, node, indexed(to_count, to, to_length), indexed(from_count, from, from_length)});
}

gasnet_handle_t gasnet_geti_nb_bulk(size_t to_count, void *const to[], size_t to_length, gasnet_node_t node,
                                    size_t from_count, void *const from[], size_t from_length)
{
    return lists_begin(
        (struct route){false, node, indexed(to_count, to, to_length), indexed(from_count, from, from_length)});
}

void gasnet_puti_bulk(gasnet_node_t node, size_t to_count, void *const to[], size_t to_length, size_t from_count,
                      void *const from[], size_t from_length)
{
    gasnet_wait_syncnb(gasnet_puti_nb_bulk(node, to_count, to, to_length, from_count, from, from_length));
}

void gasnet_geti_bulk(size_t to_count, void *const to[], size_t to_length, gasnet_node_t node, size_t from_count,
                      void *const from[], size_t from_length)
{
    gasnet_wait_syncnb(gasnet_geti_nb_bulk(to_count, to, to_length, node, from_count, from, from_length));
}

void gasnet_puti_nbi_bulk(gasnet_node_t node, size_t to_count, void *const to[], size_t to_length, size_t from_count,
                          void *const from[], size_t from_length)
{
    move_lists(ops_implicit(),
               (struct route){true, node, indexed(to_count, to, to_length), indexed(from_count, from, from_length)});
}

void gasnet_geti_nbi_bulk(size_t to_count, void *const to[], size_t to_length, gasnet_node_t node, size_t from_count,
                          void *const from[], size_t from_length)
{
    move_lists(ops_implicit(),
               (struct route){false, node, indexed(to_count, to, to_length), indexed(from_count, from, from_length)});
}

/* ---- strided ----------------------------------------------------------------------------------------------------- */

gasnet_handle_t gasnet_puts_nb_bulk(gasnet_node_t node, void *to, const size_t to_strides[], void *from,
                                    const size_t from_strides[], const size_t count[], size_t levels)
{
    return grid_begin((struct grid){true, node, to, from, to_strides, from_strides, count}, levels);
}

gasnet_handle_t gasnet_gets_nb_bulk(void *to, const size_t to_strides[], gasnet_node_t node, void *from,
                                    const size_t from_strides[], const size_t count[], size_t levels)
{
    return grid_begin((struct grid){false, node, to, from, to_strides, from_strides, count}, levels);
}

void gasnet_puts_bulk(gasnet_node_t node, void *to, const size_t to_strides[], void *from, const size_t from_strides[],
                      const size_t count[], size_t levels)
{
    gasnet_wait_syncnb(gasnet_puts_nb_bulk(node, to, to_strides, from, from_strides, count, levels));
}

void gasnet_gets_bulk(void *to, const size_t to_strides[], gasnet_node_t node, void *from, const size_t from_strides[],
                      const size_t count[], size_t levels)
{
    gasnet_wait_syncnb(gasnet_gets_nb_bulk(to, to_strides, node, from, from_strides, count, levels));
}

void gasnet_puts_nbi_bulk(gasnet_node_t node, void *to, const size_t to_strides[], void *from,
                          const size_t from_strides[], const size_t count[], size_t levels)
{
    grid_move(ops_implicit(), (struct grid){true, node, to, from, to_strides, from_strides, count}, levels);
}

void gasnet_gets_nbi_bulk(void *to, const size_t to_strides[], gasnet_node_t node, void *from,
                          const size_t from_strides[], const size_t count[], size_t levels)
{
    grid_move(ops_implicit(), (struct grid){false, node, to, from, to_strides, from_strides, count}, levels);
}

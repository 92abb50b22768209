/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Pools: see pool.h.
 *
 *      slabs --> [ link | object | object | ... ] --> [ link | object | ... ]
 *                            ^         ^
 *      spare -------------- [link] -> [link] -> ...
 */
#include "ref-impl/mpi/common/pool.h"

#include <stdalign.h>
#include <stdlib.h>

#include "ref-impl/short_path.h"

enum { OBJECTS = 64 }; /* of a slab */

/* What the memory of an object is while nobody has it, and the head of a slab. */
struct pool_piece {
    alignas(max_align_t) struct pool_piece *next;
};

/* Makes objects that nobody has; without memory there are none. */
ASIDE static void grow(struct pool *pool)
{
    struct pool_piece *slab = malloc(sizeof(*slab) + OBJECTS * pool->octets);

    if (!slab) {
        return;
    }
    slab->next = pool->slabs;
    pool->slabs = slab;
    for (size_t i = OBJECTS; i > 0; i--) {
        pool_give(pool, (char *)(slab + 1) + (i - 1) * pool->octets);
    }
}

void *pool_take(struct pool *pool)
{
    struct pool_piece *piece;

    if (!pool->spare) {
        grow(pool);
    }
    piece = pool->spare;
    if (piece) {
        pool->spare = piece->next;
    }
    return piece;
}

void pool_give(struct pool *pool, void *object)
{
    struct pool_piece *piece = object;

    piece->next = pool->spare;
    pool->spare = piece;
}

void pool_close(struct pool *pool)
{
    while (pool->slabs) {
        struct pool_piece *slab = pool->slabs;

        pool->slabs = slab->next;
        free(slab);
    }
    pool->spare = NULL;
}

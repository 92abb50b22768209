/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory for objects of one size that come and go with messages: it is allocated for many at once, and what is given
 * back is what is taken next. Under the requests and the messages that wait for theirs. The system gets it back when
 * the pool is closed.
 */
#ifndef REF_IMPL_MPI_COMMON_POOL_H
#define REF_IMPL_MPI_COMMON_POOL_H

#include <stddef.h>

struct pool_piece;

/* struct pool is guarded by whatever guards its objects. All zero but for the size is empty. */
struct pool {
    size_t octets;            /* of one object; a multiple of what any object is aligned to */
    struct pool_piece *spare; /* objects that nobody has */
    struct pool_piece *slabs; /* all memory that there is */
};

/* POOL_OF - an empty pool for objects of so many octets. */
#define POOL_OF(size)                                                                                                  \
    {                                                                                                                  \
        .octets = ((size) + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t)                       \
    }

/* pool_take - memory for an object, whose content does not matter; NULL: memory is used up.
 * pool_give - gives it back.
 * pool_close - frees all memory; nobody has any of it. */
void *pool_take(struct pool *pool);
void pool_give(struct pool *pool, void *object);
void pool_close(struct pool *pool);

#endif

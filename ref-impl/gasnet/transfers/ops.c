/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Operations: see ops.h.
 */
#include "ref-impl/gasnet/transfers/ops.h"

#include <pthread.h>
#include <stdlib.h>

#include "ref-impl/gasnet/base/fatal.h"

enum { BLOCK = 1024, BLOCKS = (1 << 24) / BLOCK };

/* Guarded by the lock; blocks stay where they are. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gasnet_op *blocks[BLOCKS];
static uint32_t block_count;
static struct gasnet_op *unused;

static _Thread_local struct gasnet_op *implicit;

static void add_block(void)
{
    struct gasnet_op *block = block_count < BLOCKS ? calloc(BLOCK, sizeof(*block)) : NULL;

    if (!block) {
        fatal_end("no memory for more than %u operations", block_count * BLOCK);
    }
    for (uint32_t i = 0; i < BLOCK; i++) {
        block[i].number = block_count * BLOCK + i;
        if (block[i].number != 0) { /* 0 is no operation */
            block[i].next = unused;
            unused = &block[i];
        }
    }
    blocks[block_count++] = block;
}

struct gasnet_op *ops_new(void) //= GASN-089
{
    struct gasnet_op *op;

    pthread_mutex_lock(&lock);
    if (!unused) {
        add_block();
    }
    op = unused;
    unused = op->next;
    pthread_mutex_unlock(&lock);
    op->next = NULL;
    op->puts = op->gets = op->unsent = 0;
    op->value = 0;
    return op;
}

void ops_free(struct gasnet_op *op)
{
    pthread_mutex_lock(&lock);
    op->next = unused;
    unused = op;
    pthread_mutex_unlock(&lock);
}

struct gasnet_op *ops_find(uint32_t number) //= GASN-083 GASN-084
{
    struct gasnet_op *block;

    pthread_mutex_lock(&lock);
    block = number != 0 && number / BLOCK < block_count ? blocks[number / BLOCK] : NULL;
    pthread_mutex_unlock(&lock);
    if (!block) {
        fatal_end("an event names operation %u, which does not exist", number);
    }
    return &block[number % BLOCK];
}

bool ops_done(const struct gasnet_op *op)
{
    return op->puts == 0 && op->gets == 0 && op->unsent == 0;
}

struct gasnet_op *ops_implicit(void)
{
    if (!implicit) {
        implicit = ops_new();
    }
    return implicit;
}

bool ops_region_begin(void)
{
    struct gasnet_op *around = ops_implicit();

    if (around->next) {
        return false;
    }
    implicit = ops_new();
    implicit->next = around;
    return true;
}

struct gasnet_op *ops_region_end(void)
{
    struct gasnet_op *op = ops_implicit();

    if (!op->next) {
        return NULL;
    }
    implicit = op->next;
    op->next = NULL;
    return op;
}

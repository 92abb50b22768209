/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Stores of chunks: see chunks.h.
 */
#include "ref-impl/gasnet/base/chunks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/gasnet/base/fatal.h"
#include "ref-impl/gasnet/base/settings.h"

struct chunk {
    bool taken;
    void *memory; /* where what comes goes */
    size_t octets;
};

/* struct region is guarded by its lock; what is in a chunk belongs to who took it. */
struct region {
    pthread_mutex_t lock;
    unsigned char *start;
    uint32_t count, free_count;
    uint32_t *free; /* a stack of offsets: the one used last is in the cache */
    struct chunk *chunks;
};

static struct region regions[STORES] = {{.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

bool chunks_open(enum store store, uint32_t count)
{
    struct region *region = &regions[store];

    region->start = aligned_alloc(4096, ((size_t)count * CHUNK_OCTETS + 4095) / 4096 * 4096);
    region->free = malloc(count * sizeof(*region->free));
    region->chunks = calloc(count, sizeof(*region->chunks));
    if (!region->start || !region->free || !region->chunks) {
        return false;
    }
    region->count = region->free_count = count;
    for (uint32_t i = 0; i < count; i++) {
        region->free[i] = (count - 1 - i) * CHUNK_OCTETS; //= GASN-109
    }
    return true;
}

void *chunks_region(enum store store, size_t *octets)
{
    *octets = (size_t)regions[store].count * CHUNK_OCTETS;
    return regions[store].start;
}

static struct chunk *find(enum store store, uint32_t offset)
{
    const struct region *region = &regions[store];
    uint32_t at = offset / CHUNK_OCTETS;

    if (offset % CHUNK_OCTETS || at >= region->count || !region->chunks[at].taken) {
        fatal_end("an event names offset %u, where no chunk is in use", offset);
    }
    return &region->chunks[at];
}

void *chunks_at(enum store store, uint32_t offset)
{
    return regions[store].start + offset;
}

bool chunks_take(enum store store, uint32_t *offset)
{
    struct region *region = &regions[store];
    bool found;

    pthread_mutex_lock(&region->lock);
    found = region->free_count > 0;
    if (found) {
        *offset = region->free[--region->free_count];
        region->chunks[*offset / CHUNK_OCTETS] = (struct chunk){.taken = true};
    }
    pthread_mutex_unlock(&region->lock);
    return found;
}

void chunks_give(enum store store, uint32_t offset)
{
    struct region *region = &regions[store];

    pthread_mutex_lock(&region->lock);
    find(store, offset)->taken = false;
    region->free[region->free_count++] = offset;
    pthread_mutex_unlock(&region->lock);
}

void chunks_note(uint32_t offset, void *memory, size_t octets)
{
    struct chunk *chunk = find(STORE_REQUESTS, offset);

    chunk->memory = memory;
    chunk->octets = octets;
}

void chunks_deliver(uint32_t offset)
{
    const struct chunk *chunk = find(STORE_REQUESTS, offset);

    memcpy(chunk->memory, chunks_at(STORE_REQUESTS, offset), chunk->octets); //= GASN-103
}

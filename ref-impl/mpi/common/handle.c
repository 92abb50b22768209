/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles: a table for each kind, from numbers to objects. Under everything that a program can hold (chapter 2.4.1 of
 * MPI); comm.c, group.c, type.c, op.c, errors.c and the requests use it.
 *
 * A handle's number is   generation << 28 | place << 4 | kind.   Places of predefined handles are those of mpi.h and
 * have generation 0; all others begin at FIRST_PLACE. A freed place goes to the end of a row of free ones, so that it
 * stays unused for as long as possible.
 */
#include "ref-impl/mpi/common/handle.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    KINDS = 11,
    KIND_BITS = 4,
    PLACE_BITS = 24,
    FIRST_PLACE = 64,
    GROWTH = 64,
};

#define PLACES_MAX ((size_t)1 << PLACE_BITS)

struct slot {
    void *object; /* NULL: free */
    uint64_t generation;
    size_t next_free; /* 0: the last one */
};

static struct table {
    struct slot *slot;
    size_t size;
    size_t first_free, last_free; /* 0: none */
} tables[KINDS];

/* Puts a place at the end of the free ones. */
static void put_free(struct table *table, size_t place)
{
    table->slot[place].next_free = 0;
    if (table->first_free) {
        table->slot[table->last_free].next_free = place;
    } else {
        table->first_free = place;
    }
    table->last_free = place;
}

/* Makes the table larger; the new places are free. */
static bool grow(struct table *table)
{
    size_t old = table->size;
    size_t size = old ? old * 2 : FIRST_PLACE + GROWTH;
    struct slot *slot;

    if (size > PLACES_MAX || !(slot = realloc(table->slot, size * sizeof(*slot)))) {
        return false;
    }
    table->slot = slot;
    table->size = size;
    for (size_t place = old; place < size; place++) {
        slot[place] = (struct slot){NULL, 0, 0};
        if (place >= FIRST_PLACE) {
            put_free(table, place);
        }
    }
    return true;
}

static void *number(enum handle_kind kind, size_t place, uint64_t generation)
{
    return (void *)(uintptr_t)(generation << (KIND_BITS + PLACE_BITS) | place << KIND_BITS | (unsigned)kind);
}

/* The used slot that a handle names, or NULL. */
static struct slot *find(enum handle_kind kind, const void *handle)
{
    struct table *table = &tables[kind];
    uintptr_t value = (uintptr_t)handle;
    size_t place = value >> KIND_BITS & (PLACES_MAX - 1);

    if ((value & ((1u << KIND_BITS) - 1)) != (unsigned)kind || place >= table->size || !table->slot[place].object ||
        number(kind, place, table->slot[place].generation) != handle) {
        return NULL;
    }
    return &table->slot[place];
}

void *handle_new(enum handle_kind kind, void *object)
{
    struct table *table = &tables[kind];
    size_t place;

    if (!table->first_free && !grow(table)) {
        return NULL;
    }
    place = table->first_free;
    table->first_free = table->slot[place].next_free;
    table->slot[place].object = object;
    return number(kind, place, table->slot[place].generation);
}

bool handle_set(enum handle_kind kind, const void *handle, void *object)
{
    struct table *table = &tables[kind];

    if (!table->size && !grow(table)) {
        return false;
    }
    table->slot[(uintptr_t)handle >> KIND_BITS].object = object;
    return true;
}

void *handle_find(enum handle_kind kind, const void *handle)
{
    struct slot *slot = find(kind, handle);

    return slot ? slot->object : NULL;
}

int handle_short(const void *handle)
{
    return (int)(uint32_t)(uintptr_t)handle;
}

void *handle_long(enum handle_kind kind, int handle)
{
    const struct table *table = &tables[kind];
    uint32_t value = (uint32_t)handle;
    size_t place = value >> KIND_BITS & (PLACES_MAX - 1);
    void *whole = place < table->size ? number(kind, place, table->slot[place].generation) : NULL;

    return whole && handle_short(whole) == handle ? whole : (void *)(uintptr_t)value;
}

void handle_free(enum handle_kind kind, const void *handle)
{
    struct slot *slot = find(kind, handle);

    if (slot) {
        slot->object = NULL;
        slot->generation++;
        put_free(&tables[kind], (size_t)(slot - tables[kind].slot));
    }
}

void *handle_next(enum handle_kind kind, size_t *place)
{
    struct table *table = &tables[kind];

    while (*place < table->size) {
        void *object = table->slot[(*place)++].object;

        if (object) {
            return object;
        }
    }
    return NULL;
}

void handle_close(enum handle_kind kind)
{
    free(tables[kind].slot);
    tables[kind] = (struct table){NULL, 0, 0, 0};
}

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
    FIRST_PLACE = 64,
    GROWTH = 64,
};

#define PLACES_MAX ((size_t)1 << HANDLE_PLACE_BITS)

struct handle_table handle_tables[HANDLE_KINDS];

static const void *number(enum handle_kind kind, size_t place, uint64_t generation)
{
    return (const void *)(uintptr_t)(generation << (HANDLE_KIND_BITS + HANDLE_PLACE_BITS) | place << HANDLE_KIND_BITS |
                                     (unsigned)kind);
}

static uint64_t generation_of(const void *handle)
{
    return (uint64_t)(uintptr_t)handle >> (HANDLE_KIND_BITS + HANDLE_PLACE_BITS);
}

/* Puts a place at the end of the free ones. */
static void put_free(struct handle_table *table, size_t place)
{
    table->slot[place].next_free = 0;
    if (table->first_free) {
        table->slot[table->last_free].next_free = place;
    } else {
        table->first_free = place;
    }
    table->last_free = place;
}

/* Begins to use the next place, for which there is room. */
static size_t take_fresh(enum handle_kind kind)
{
    struct handle_table *table = &handle_tables[kind];
    size_t place = table->size++;

    table->slot[place] = (struct handle_slot){number(kind, place, 0), NULL, 0};
    return place;
}

/* Makes room for more places, of which the predefined ones are used at once. */
static bool grow(enum handle_kind kind)
{
    struct handle_table *table = &handle_tables[kind];
    size_t capacity = table->capacity ? table->capacity * 2 : FIRST_PLACE + GROWTH;
    struct handle_slot *slot;

    if (capacity > PLACES_MAX || !(slot = realloc(table->slot, capacity * sizeof(*slot)))) {
        return false;
    }
    table->slot = slot;
    table->capacity = capacity;
    while (table->size < FIRST_PLACE) {
        (void)take_fresh(kind);
    }
    return true;
}

/* Takes out the free place that has been free for longest. There is one. */
static size_t take_free(struct handle_table *table)
{
    size_t place = table->first_free;

    table->first_free = table->slot[place].next_free;
    return place;
}

void *handle_new(enum handle_kind kind, void *object)
{
    struct handle_table *table = &handle_tables[kind];
    size_t place;

    if (table->size == table->capacity && !table->first_free && !grow(kind)) {
        return NULL;
    }
    place = table->size < table->capacity ? take_fresh(kind) : take_free(table);
    table->slot[place].object = object;
    return (void *)(uintptr_t)table->slot[place].handle;
}

bool handle_set(enum handle_kind kind, const void *handle, void *object)
{
    struct handle_table *table = &handle_tables[kind];

    if (!table->size && !grow(kind)) {
        return false;
    }
    table->slot[(uintptr_t)handle >> HANDLE_KIND_BITS].object = object;
    return true;
}

int handle_short(const void *handle)
{
    return (int)(uint32_t)(uintptr_t)handle;
}

void *handle_long(enum handle_kind kind, int handle)
{
    const struct handle_table *table = &handle_tables[kind];
    uint32_t value = (uint32_t)handle;
    size_t place = value >> HANDLE_KIND_BITS & (PLACES_MAX - 1);
    const void *whole = place < table->size ? table->slot[place].handle : NULL;

    return whole && handle_short(whole) == handle ? (void *)(uintptr_t)whole : (void *)(uintptr_t)value;
}

void handle_free(enum handle_kind kind, const void *handle)
{
    struct handle_table *table = &handle_tables[kind];
    size_t place = (uintptr_t)handle >> HANDLE_KIND_BITS & (PLACES_MAX - 1);

    if (handle_find(kind, handle)) {
        table->slot[place].object = NULL;
        table->slot[place].handle = number(kind, place, generation_of(handle) + 1);
        put_free(table, place);
    }
}

void *handle_next(enum handle_kind kind, size_t *place)
{
    struct handle_table *table = &handle_tables[kind];

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
    free(handle_tables[kind].slot);
    handle_tables[kind] = (struct handle_table){0};
}

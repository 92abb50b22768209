/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tables of handles: see handle.h. Chapter 3.2.2.
 */
#include "ref-impl/core/handle.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/limits.h"

enum { SLOT_BITS = 20, GENERATION_BITS = 36, INTERFACE_BITS = 4 };

static_assert(LIMIT_OBJECTS <= 1 << SLOT_BITS, "a slot's number fits into its handle");
static_assert(LIMIT_INTERFACES <= 1 << INTERFACE_BITS, "an interface's number fits into a handle");

uint64_t handle_make(enum handle_kind kind, uint32_t interface, uint64_t generation, uint32_t slot)
{
    //= P30-048
    return (uint64_t)kind << (INTERFACE_BITS + GENERATION_BITS + SLOT_BITS) |
           (uint64_t)interface << (GENERATION_BITS + SLOT_BITS) | generation << SLOT_BITS | slot;
}

uint32_t handle_kind_of(uint64_t handle)
{
    return (uint32_t)(handle >> (INTERFACE_BITS + GENERATION_BITS + SLOT_BITS));
}

uint32_t handle_interface(uint64_t handle)
{
    return (uint32_t)(handle >> (GENERATION_BITS + SLOT_BITS)) & ((1u << INTERFACE_BITS) - 1);
}

static uint32_t slot_of(uint64_t handle)
{
    return (uint32_t)handle & ((1u << SLOT_BITS) - 1);
}

/* Doubles the memory for slots, up to the limit. */
static bool grow(struct handle_table *table)
{
    uint32_t capacity = table->capacity ? 2 * table->capacity : 4;
    struct handle_slot *slots;

    if (capacity > LIMIT_OBJECTS) {
        return false;
    }
    slots = realloc(table->slots, capacity * sizeof(*slots));
    if (!slots) {
        return false;
    }
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

/* Finds a free slot: one that was given back, else an untouched one. */
static bool take_slot(struct handle_table *table, uint32_t *slot)
{
    if (table->first_free) {
        *slot = table->first_free - 1;
        table->first_free = table->slots[*slot].next_free;
        return true;
    }
    if (table->floor >= HANDLE_GENERATIONS || (table->used == table->capacity && !grow(table))) {
        return false;
    }
    *slot = table->used++;
    table->slots[*slot] = (struct handle_slot){.generation = table->floor};
    return true;
}

bool handle_insert(struct handle_table *table, void *object, uint64_t *handle)
{
    uint32_t slot;

    if (!take_slot(table, &slot)) {
        return false;
    }
    table->slots[slot].object = object;
    *handle = handle_make(table->kind, table->interface, table->slots[slot].generation, slot);
    return true;
}

void *handle_find(const struct handle_table *table, uint64_t handle)
{
    uint32_t slot = slot_of(handle);

    if (slot >= table->used ||
        handle != handle_make(table->kind, table->interface, table->slots[slot].generation, slot)) {
        return NULL;
    }
    return table->slots[slot].object;
}

void handle_remove(struct handle_table *table, uint64_t handle)
{
    struct handle_slot *slot = &table->slots[slot_of(handle)];

    assert(handle_find(table, handle));
    slot->object = NULL;
    if (++slot->generation < HANDLE_GENERATIONS) {
        slot->next_free = table->first_free;
        table->first_free = slot_of(handle) + 1;
    }
}

void *handle_next(const struct handle_table *table, uint32_t *cursor)
{
    while (*cursor < table->used) {
        void *object = table->slots[(*cursor)++].object;

        if (object) {
            return object;
        }
    }
    return NULL;
}

void handle_clear(struct handle_table *table)
{
    for (uint32_t i = 0; i < table->used; i++) {
        uint64_t next = table->slots[i].generation + 1;

        table->floor = next > table->floor ? next : table->floor;
    }
    free(table->slots);
    table->slots = NULL;
    table->capacity = table->used = table->first_free = 0;
}

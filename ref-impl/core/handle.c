/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tables of handles: see handle.h. Chapter 3.2.2.
 */
#include "ref-impl/core/handle.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/core/limits.h"

enum { SLOT_BITS = 22, GENERATION_BITS = 34, INTERFACE_BITS = 4, SLOTS_AT_FIRST = 4 };

/* Entries, descriptors, queues and their followers. */
static_assert(4 * LIMIT_OBJECTS <= 1 << SLOT_BITS, "a slot's number fits into its handle");
static_assert(LIMIT_INTERFACES <= 1 << INTERFACE_BITS, "an interface's number fits into a handle");
static_assert(HANDLE_GENERATIONS == (uint64_t)1 << GENERATION_BITS, "a generation fits into a handle");

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

static uint64_t generation_of(uint64_t handle)
{
    return handle >> SLOT_BITS & (HANDLE_GENERATIONS - 1);
}

static uint32_t slot_of(uint64_t handle)
{
    return (uint32_t)handle & ((1u << SLOT_BITS) - 1);
}

/* What stands in a free slot. */
static uint64_t free_handle(uint64_t generation)
{
    return generation << SLOT_BITS;
}

/* Doubles the memory for slots, up to the limit. */
static bool grow(struct handle_table *table)
{
    uint32_t capacity = table->capacity ? 2 * table->capacity : SLOTS_AT_FIRST;
    struct handle_slot *slots;

    if (capacity > 1u << SLOT_BITS) {
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
    table->slots[*slot] = (struct handle_slot){.handle = free_handle(table->floor)};
    return true;
}

static uint32_t most_of(const struct handle_table *table, enum handle_kind kind)
{
    return table->most[kind] ? table->most[kind] : LIMIT_OBJECTS;
}

bool handle_insert(struct handle_table *table, enum handle_kind kind, void *object, uint64_t *handle)
{
    uint32_t number;
    struct handle_slot *slot;

    if (table->living[kind] >= most_of(table, kind) || !take_slot(table, &number)) {
        return false;
    }
    slot = &table->slots[number];
    slot->handle = handle_make(kind, table->interface, generation_of(slot->handle), number);
    slot->object = object;
    table->living[kind]++;
    *handle = slot->handle;
    return true;
}

void *handle_find(const struct handle_table *table, enum handle_kind kind, uint64_t handle)
{
    uint32_t slot = slot_of(handle);

    if (slot >= table->used || handle != table->slots[slot].handle || handle_kind_of(handle) != kind) {
        return NULL;
    }
    return table->slots[slot].object;
}

void handle_remove(struct handle_table *table, uint64_t handle)
{
    struct handle_slot *slot = &table->slots[slot_of(handle)];
    uint64_t generation = generation_of(handle) + 1;

    assert(slot_of(handle) < table->used && slot->handle == handle);
    table->living[handle_kind_of(handle)]--;
    slot->handle = free_handle(generation_of(handle));
    if (generation < HANDLE_GENERATIONS) {
        slot->handle = free_handle(generation);
        slot->next_free = table->first_free;
        table->first_free = slot_of(handle) + 1;
    }
}

void *handle_next(const struct handle_table *table, enum handle_kind kind, uint32_t *cursor)
{
    while (*cursor < table->used) {
        const struct handle_slot *slot = &table->slots[(*cursor)++];

        if (handle_kind_of(slot->handle) == kind) {
            return slot->object;
        }
    }
    return NULL;
}

void handle_clear(struct handle_table *table)
{
    for (uint32_t i = 0; i < table->used; i++) {
        uint64_t next = generation_of(table->slots[i].handle) + 1;

        table->floor = next > table->floor ? next : table->floor;
    }
    free(table->slots);
    memset(table->living, 0, sizeof(table->living));
    table->slots = NULL;
    table->capacity = table->used = table->first_free = 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles: numbers that name an object of the core without being able to lie about it. A handle holds the kind of
 * object, the interface, a slot of that interface's table and the generation of the slot's content:
 *
 *      63   60 59     56 55                            20 19              0
 *     +-------+---------+--------------------------------+-----------------+
 *     | kind  | interf. |           generation           |      slot       |
 *     +-------+---------+--------------------------------+-----------------+
 *
 * A slot that is used again has the next generation, so the handle of a dead object never names a living one; a
 * slot whose generations are used up is not used again. No handle is 0 or CORE_NONE. The same number travels as
 * "memory desc" in messages and comes back in acknowledgements and replies, perhaps forged: looking up trusts nothing.
 *
 * A table is guarded by the lock of its interface.
 */
#ifndef REF_IMPL_CORE_HANDLE_H
#define REF_IMPL_CORE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

enum handle_kind { HANDLE_INTERFACE = 1, HANDLE_ENTRY, HANDLE_DESCRIPTOR, HANDLE_QUEUE };

#define HANDLE_GENERATIONS ((uint64_t)1 << 36)

struct handle_slot {
    void *object; /* NULL: free */
    uint64_t generation;
    uint32_t next_free;
};

/* struct handle_table holds the objects of one kind of one interface. All zero but for kind and interface is empty. */
struct handle_table {
    struct handle_slot *slots;
    enum handle_kind kind;
    uint32_t interface;
    uint32_t used; /* slots that were ever used; those above are untouched */
    uint32_t capacity;
    uint32_t first_free; /* of the slots given back, plus 1; 0: none */
    uint64_t floor;      /* first generation of untouched slots: above all that an earlier life of the table gave out */
};

/* handle_make puts a handle together. */
uint64_t handle_make(enum handle_kind kind, uint32_t interface, uint64_t generation, uint32_t slot);

/* handle_interface and handle_kind_of take one apart. What they return need not exist. */
uint32_t handle_interface(uint64_t handle);
uint32_t handle_kind_of(uint64_t handle);

/* handle_insert puts `object` (not NULL) into the table and stores its handle; false when LIMIT_OBJECTS or memory is
 * exhausted. The object stays the caller's. */
bool handle_insert(struct handle_table *table, void *object, uint64_t *handle) __attribute__((warn_unused_result));

/* handle_find returns the living object of that handle, or NULL. */
void *handle_find(const struct handle_table *table, uint64_t handle);

/* handle_remove takes the living object of that handle out; the handle is dead from now on. */
void handle_remove(struct handle_table *table, uint64_t handle);

/* handle_next returns the first object at or behind *cursor and moves the cursor behind it; NULL at the end. The object
 * may be removed between two calls. */
void *handle_next(const struct handle_table *table, uint32_t *cursor);

/* handle_clear forgets all objects and frees the table's memory; no handle given out before is ever valid again. */
void handle_clear(struct handle_table *table);

#endif

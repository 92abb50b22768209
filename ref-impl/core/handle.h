/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles: numbers that name an object of the core without being able to lie about it. A handle holds the kind of
 * object, the interface, a slot of that interface's table and the generation of the slot's content:
 *
 *      63   60 59     56 55                          22 21                0
 *     +-------+---------+------------------------------+-------------------+
 *     | kind  | interf. |          generation          |       slot        |
 *     +-------+---------+------------------------------+-------------------+
 *
 * A slot that is used again has the next generation, so the handle of a dead object never names a living one; a
 * slot whose generations are used up is not used again. No handle is 0 or CORE_NONE. The same number travels as
 * "memory desc" in messages and comes back in acknowledgements and replies, perhaps forged: looking up trusts nothing.
 *
 * All kinds of an interface share one table, which is guarded by the lock of the interface.
 */
#ifndef REF_IMPL_CORE_HANDLE_H
#define REF_IMPL_CORE_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

/* A follower is a queue of the library's own: see eq_follow in eq.h. Interfaces are in no table. */
enum handle_kind { HANDLE_FOLLOWER = 1, HANDLE_ENTRY, HANDLE_DESCRIPTOR, HANDLE_QUEUE, HANDLE_INTERFACE };

enum { HANDLE_KINDS = HANDLE_INTERFACE };

#define HANDLE_GENERATIONS ((uint64_t)1 << 34)

struct handle_slot {
    uint64_t handle; /* of the object; without kind: free, and this will be the generation of the next one */
    union {
        void *object;
        uint32_t next_free; /* of a free slot: the next one plus 1; 0: none */
    };
};

/* struct handle_table - the objects of one interface. All zero but for the interface is empty. */
struct handle_table {
    struct handle_slot *slots;
    uint32_t interface;
    uint32_t used; /* slots that were ever used; those above are untouched */
    uint32_t capacity;
    uint32_t first_free; /* of the slots given back, plus 1; 0: none */
    uint64_t floor;      /* first generation of untouched slots: above all that an earlier life of the table gave out */
    uint32_t living[HANDLE_KINDS]; /* objects of each kind */
    uint32_t most[HANDLE_KINDS];   /* of each kind at most so many; 0: LIMIT_OBJECTS */
};

/* handle_make - puts a handle together. */
uint64_t handle_make(enum handle_kind kind, uint32_t interface, uint64_t generation, uint32_t slot);

/* handle_interface, handle_kind_of - take one apart. What they return need not exist. */
uint32_t handle_interface(uint64_t handle);
uint32_t handle_kind_of(uint64_t handle);

/* handle_insert - puts `object` (not NULL) into the table and stores its handle; false when as many of that kind as may
 * be are there or memory is exhausted. The object stays the caller's. */
bool handle_insert(struct handle_table *table, enum handle_kind kind, void *object, uint64_t *handle)
    __attribute__((warn_unused_result));

/* handle_find - the living object of that kind and handle, or NULL. */
void *handle_find(const struct handle_table *table, enum handle_kind kind, uint64_t handle);

/* handle_remove - takes the living object of that handle out; the handle is dead from now on. */
void handle_remove(struct handle_table *table, uint64_t handle);

/* handle_next - the first object of that kind at or behind *cursor; moves the cursor behind it; NULL at the
 * end. The object may be removed between two calls. */
void *handle_next(const struct handle_table *table, enum handle_kind kind, uint32_t *cursor);

/* handle_clear - forgets all objects and frees the table's memory; no handle given out before is ever valid again. */
void handle_clear(struct handle_table *table);

#endif

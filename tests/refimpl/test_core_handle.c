/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles never lie: core/handle.h.
 */
#include "ref-impl/core/handle.h"

#include "ref-impl/core/limits.h"
#include "ref-impl/core/types.h"
#include "tests/unit/tap.h"

enum { SLOT = (1 << 22) - 1 };

enum { MANY = 20 /* more than a table has room for at first */ };

static int objects[MANY];

static void what_is_inside(void)
{
    uint64_t handle = handle_make(HANDLE_QUEUE, 3, 5, 7);

    CHECK_EQ(handle, 0x4300000001400007u, "kind, interface, generation, slot");
    CHECK_EQ(handle_interface(handle), 3, "interface");
    CHECK_EQ(handle_kind_of(handle), HANDLE_QUEUE, "kind");
    CHECK(handle_kind_of(CORE_NONE) > HANDLE_INTERFACE, "no handle is the none of its kind");
}

static void slots_are_used_again(void)
{
    struct handle_table table = {.interface = 1};
    uint64_t first, second, third;
    uint32_t cursor = 0;

    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &first) &&
              handle_insert(&table, HANDLE_ENTRY, &objects[1], &second),
          "two objects");
    CHECK(handle_find(&table, HANDLE_ENTRY, first) == &objects[0] &&
              handle_find(&table, HANDLE_ENTRY, second) == &objects[1],
          "are found");
    handle_remove(&table, first);
    CHECK(!handle_find(&table, HANDLE_ENTRY, first), "a removed one is not");
    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[2], &third) && (third & SLOT) == (first & SLOT),
          "its slot is used again");
    CHECK(third != first && !handle_find(&table, HANDLE_ENTRY, first), "but not its handle");
    CHECK(handle_next(&table, HANDLE_ENTRY, &cursor) == &objects[2] &&
              handle_next(&table, HANDLE_ENTRY, &cursor) == &objects[1],
          "all are listed");
    CHECK(!handle_next(&table, HANDLE_ENTRY, &cursor), "and then there is an end");
    handle_clear(&table);
    CHECK(!handle_find(&table, HANDLE_ENTRY, third) && !handle_find(&table, HANDLE_ENTRY, second), "nothing is left");
    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &first) && first != third && first != second,
          "a new life, new handles");
    CHECK(!handle_find(&table, HANDLE_ENTRY, third) && !handle_find(&table, HANDLE_ENTRY, second),
          "the old ones stay dead");
    handle_clear(&table);
}

static void outsiders(void)
{
    struct handle_table table = {.interface = 1};
    uint64_t handle;

    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &handle), "one object");
    CHECK(!handle_find(&table, HANDLE_ENTRY, CORE_NONE) && !handle_find(&table, HANDLE_ENTRY, 0),
          "none and zero name nothing");
    CHECK(!handle_find(&table, HANDLE_ENTRY, handle ^ (uint64_t)1 << 60), "another kind");
    CHECK(!handle_find(&table, HANDLE_ENTRY, handle ^ (uint64_t)1 << 56), "another interface");
    CHECK(!handle_find(&table, HANDLE_ENTRY, handle ^ (uint64_t)1 << 22), "another generation");
    CHECK(!handle_find(&table, HANDLE_ENTRY, handle ^ 1) && !handle_find(&table, HANDLE_ENTRY, handle | SLOT),
          "another slot");
    handle_clear(&table);
}

static void kinds_share_a_table(void)
{
    struct handle_table table = {.interface = 1};
    uint64_t entry, descriptor;
    uint32_t cursor = 0;

    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &entry) &&
              handle_insert(&table, HANDLE_DESCRIPTOR, &objects[1], &descriptor),
          "an entry and a descriptor");
    CHECK(handle_find(&table, HANDLE_DESCRIPTOR, descriptor) == &objects[1], "one is found as what it is");
    CHECK(!handle_find(&table, HANDLE_ENTRY, descriptor), "and not as the other");
    CHECK(handle_next(&table, HANDLE_DESCRIPTOR, &cursor) == &objects[1], "one kind is listed");
    CHECK(!handle_next(&table, HANDLE_DESCRIPTOR, &cursor), "without the other");
    handle_remove(&table, entry);
    CHECK(handle_insert(&table, HANDLE_QUEUE, &objects[2], &entry) && (entry & SLOT) == 0, "a slot is for any kind");
    handle_clear(&table);
}

static void tables_grow(void)
{
    struct handle_table table = {.interface = 1};
    uint64_t handles[MANY];

    for (int i = 0; i < MANY; i++) {
        CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[i], &handles[i]), "object %d", i);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK(handle_find(&table, HANDLE_ENTRY, handles[i]) == &objects[i], "is found where there are many");
    }
    handle_clear(&table);
}

static void kinds_are_limited(void)
{
    struct handle_table table = {.interface = 1, .living[HANDLE_ENTRY] = LIMIT_OBJECTS - 1};
    uint64_t handle;

    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &handle), "the last of its kind");
    CHECK(!handle_insert(&table, HANDLE_ENTRY, &objects[1], &handle), "no more of them");
    CHECK(handle_insert(&table, HANDLE_QUEUE, &objects[1], &handle), "but of another kind");
    handle_clear(&table);
}

static void worn_out_slots(void)
{
    struct handle_table table = {.interface = 1, .floor = HANDLE_GENERATIONS - 2};
    uint64_t handle, other;

    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &handle), "the last but one generation");
    handle_remove(&table, handle);
    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &other) && (other & SLOT) == (handle & SLOT),
          "the last one");
    handle_remove(&table, other);
    CHECK(handle_insert(&table, HANDLE_ENTRY, &objects[0], &handle) && (other & SLOT) != (handle & SLOT),
          "another slot then");
    handle_clear(&table);
    CHECK(!handle_insert(&table, HANDLE_ENTRY, &objects[0], &handle), "rather none than an old one");
    handle_clear(&table);
}

int main(void)
{
    TAP_RUN(what_is_inside);
    TAP_RUN(slots_are_used_again);
    TAP_RUN(outsiders);
    TAP_RUN(kinds_share_a_table);
    TAP_RUN(tables_grow);
    TAP_RUN(kinds_are_limited);
    TAP_RUN(worn_out_slots);
    return tap_done();
}

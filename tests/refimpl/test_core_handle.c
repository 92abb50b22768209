/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Handles never lie: core/handle.h.
 */
#include "ref-impl/core/handle.h"

#include "ref-impl/core/limits.h"
#include "ref-impl/core/types.h"
#include "tests/unit/tap.h"

static int objects[3];

static void what_is_inside(void)
{
    uint64_t handle = handle_make(HANDLE_QUEUE, 3, 5, 7);

    CHECK_EQ(handle, 0x4300000000500007u, "kind, interface, generation, slot");
    CHECK_EQ(handle_interface(handle), 3, "interface");
    CHECK_EQ(handle_kind_of(handle), HANDLE_QUEUE, "kind");
    CHECK(handle_kind_of(CORE_NONE) > HANDLE_QUEUE, "no handle is the none of its kind");
}

static void slots_are_used_again(void)
{
    struct handle_table table = {.kind = HANDLE_ENTRY, .interface = 1};
    uint64_t first, second, third;
    uint32_t cursor = 0;

    CHECK(handle_insert(&table, &objects[0], &first) && handle_insert(&table, &objects[1], &second), "two objects");
    CHECK(handle_find(&table, first) == &objects[0] && handle_find(&table, second) == &objects[1], "are found");
    handle_remove(&table, first);
    CHECK(!handle_find(&table, first), "a removed one is not");
    CHECK(handle_insert(&table, &objects[2], &third) && (third & 0xfffff) == (first & 0xfffff),
          "its slot is used again");
    CHECK(third != first && !handle_find(&table, first), "but not its handle");
    CHECK(handle_next(&table, &cursor) == &objects[2] && handle_next(&table, &cursor) == &objects[1], "all are listed");
    CHECK(!handle_next(&table, &cursor), "and then there is an end");
    handle_clear(&table);
    CHECK(!handle_find(&table, third) && !handle_find(&table, second), "nothing is left");
    CHECK(handle_insert(&table, &objects[0], &first) && first != third && first != second, "a new life, new handles");
    CHECK(!handle_find(&table, third) && !handle_find(&table, second), "the old ones stay dead");
    handle_clear(&table);
}

static void strangers(void)
{
    struct handle_table table = {.kind = HANDLE_ENTRY, .interface = 1};
    uint64_t handle;

    CHECK(handle_insert(&table, &objects[0], &handle), "one object");
    CHECK(!handle_find(&table, CORE_NONE) && !handle_find(&table, 0), "none and zero name nothing");
    CHECK(!handle_find(&table, handle ^ (uint64_t)1 << 60), "another kind");
    CHECK(!handle_find(&table, handle ^ (uint64_t)1 << 56), "another interface");
    CHECK(!handle_find(&table, handle ^ (uint64_t)1 << 20), "another generation");
    CHECK(!handle_find(&table, handle ^ 1) && !handle_find(&table, handle | 0xfffff), "another slot");
    handle_clear(&table);
}

static void worn_out_slots(void)
{
    struct handle_table table = {.kind = HANDLE_ENTRY, .interface = 1, .floor = HANDLE_GENERATIONS - 2};
    uint64_t handle, other;

    CHECK(handle_insert(&table, &objects[0], &handle), "the last but one generation");
    handle_remove(&table, handle);
    CHECK(handle_insert(&table, &objects[0], &other) && (other & 0xfffff) == (handle & 0xfffff), "the last one");
    handle_remove(&table, other);
    CHECK(handle_insert(&table, &objects[0], &handle) && (other & 0xfffff) != (handle & 0xfffff), "another slot then");
    handle_clear(&table);
    CHECK(!handle_insert(&table, &objects[0], &handle), "rather none than an old one");
    handle_clear(&table);
}

int main(void)
{
    TAP_RUN(what_is_inside);
    TAP_RUN(slots_are_used_again);
    TAP_RUN(strangers);
    TAP_RUN(worn_out_slots);
    return tap_done();
}

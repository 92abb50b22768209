/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals keeps little state, so that it can serve ten thousand nodes: what a process holds does not grow with the
 * number of those that it talks to. Held by counting octets in jobs of 10 to 10,000 endpoints; what that costs in time
 * is for `make bench-scale` to say.
 */
#include "ref-impl/core/ni.h"
#include "tests/bench/crowd.h"
#include "tests/bench/heap.h"
#include "tests/bench/many.h"
#include "tests/unit/tap.h"

/* Bounds in octets, the allocator's rounding included. */
enum { ENDPOINT_MAX = 2048, ENTRY_MAX = 512, MEMBER_MAX = 32, ROUNDS = 3 };

static void job(uint32_t count, bool entry_each)
{
    size_t begun = heap_held(), open;
    struct crowd_memory memory;
    uint64_t before;

    printf("# %u endpoints, %s\n", count, entry_each ? "an entry for each at the hubs" : "one entry at the hubs");
    crowd_open(count, entry_each, &memory);
    CHECK(memory.endpoints / count <= ENDPOINT_MAX, "an endpoint takes %zu octets", memory.endpoints / count);
    if (entry_each) {
        size_t each = memory.entries / count / (CROWD_HUBS + 1);

        CHECK(each <= ENTRY_MAX, "an entry with its descriptor takes %zu octets", each);
    }
    open = heap_held();
    before = many_messages();
    for (int i = 0; i < ROUNDS; i++) {
        crowd_round();
    }
    CHECK_EQ(many_messages() - before, (uint64_t)ROUNDS * count * CROWD_MESSAGES, "all messages went");
    crowd_wave();
    CHECK_EQ(crowd_dropped(), 0, "none was dropped, also of those that came all at once");
    CHECK_EQ(heap_held(), open, "to have heard of a peer costs no octet");
    crowd_close();
    CHECK_EQ(heap_held(), begun, "nothing is left");
}

static void jobs(void)
{
    const uint32_t counts[] = {10, 100, 1000, 10000};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        job(counts[i], false);
        job(counts[i], true);
    }
}

/* What the directory of a job keeps of each member: its ids, ordered by rank and by address. */
static void directory(void)
{
    CHECK(2 * sizeof(struct wire_portals_id) <= MEMBER_MAX, "to know a member takes %zu octets",
          2 * sizeof(struct wire_portals_id));
}

int main(void)
{
    TAP_RUN(jobs);
    TAP_RUN(directory);
    return tap_done();
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Portals keeps little state, so that it can serve ten thousand nodes: neither what a process holds nor what it does
 * for a message grows with the number of those that it talks to. Held by counting, in jobs of 10 to 10,000 endpoints:
 * the octets that are allocated, the entries that a search looks at, the operations that one that ends looks at. What
 * all that costs in time is for `make bench-scale` to say.
 */
#include "ref-impl/core/eq.h"
#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/ni.h"
#include "tests/bench/many.h"
#include "tests/bench/server.h"
#include "tests/bench/traffic.h"
#include "tests/unit/heap.h"
#include "tests/unit/tap.h"

/* Bounds in octets, the allocator's rounding included. */
enum { ENDPOINT_MAX = 1184, ENTRY_MAX = 384, MEMBER_MAX = 32, ROUNDS = 3 };

/* Bounds of what is looked at: on average, in hundredths, and at most. */
enum { LOOKED_AT_MEAN = 160, LOOKED_AT_MAX = 16 };

static const uint32_t counts[] = {10, 100, 1000, 10000};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

static void job(uint32_t count, bool entry_each)
{
    size_t begun = heap_held(), open;
    struct traffic_memory memory;
    uint64_t before;

    printf("# %u endpoints, %s\n", count, entry_each ? "an entry for each at the servers" : "one entry at the servers");
    traffic_open(count, entry_each, &memory);
    CHECK(memory.endpoints / count <= ENDPOINT_MAX, "an endpoint takes %zu octets", memory.endpoints / count);
    if (entry_each) {
        size_t each = memory.entries / count / (TRAFFIC_SERVERS + 1);

        CHECK(each <= ENTRY_MAX, "an entry with its descriptor takes %zu octets", each);
    }
    open = heap_held();
    before = many_messages();
    for (int i = 0; i < ROUNDS; i++) {
        traffic_round();
    }
    CHECK_EQ(many_messages() - before, (uint64_t)ROUNDS * count * TRAFFIC_MESSAGES, "all messages went");
    traffic_wave();
    CHECK_EQ(traffic_dropped(), 0, "none was dropped, also of those that came all at once");
    CHECK_EQ(heap_held(), open, "to have heard of a peer costs no octet");
    traffic_close();
    CHECK_EQ(heap_held(), begun, "nothing is left");
}

static void jobs(void)
{
    for (size_t i = 0; i < COUNTS; i++) {
        job(counts[i], false);
        job(counts[i], true);
    }
}

/* How many entries a server looks at for a message: one where one entry is for all, and where there is one for each
 * about one, however many there are. A short list is walked. */
static void searches(void)
{
    for (size_t i = 0; i < COUNTS; i++) {
        uint64_t steps = 0;
        uint32_t most = 0;

        server_open(counts[i], false);
        CHECK(server_steps(counts[i] - 1) == 1, "%u endpoints, one entry: one is looked at", counts[i]);
        server_close();
        server_open(counts[i], true);
        for (uint32_t rank = 0; rank < counts[i]; rank++) {
            uint32_t one = server_steps(rank);

            steps += one;
            most = one > most ? one : most;
        }
        server_close();
        CHECK(counts[i] < MATCH_INDEX_FROM || steps * 100 <= (uint64_t)LOOKED_AT_MEAN * counts[i],
              "%u endpoints, an entry for each: %.2f are looked at", counts[i], (double)steps / counts[i]);
        CHECK(most <= LOOKED_AT_MAX, "%u at most", most);
    }
}

static uint32_t chain_length(const struct list *chain)
{
    uint32_t length = 0;

    for (const struct list *at = chain->next; at && at != chain; at = at->next) {
        length++;
    }
    return length;
}

/* An operation that ends looks at the others of its chain. What that is on average, in hundredths, of all that are
 * under way at a server at once. */
static void all_at_once(void)
{
    struct traffic_memory memory;

    for (size_t i = 0; i < COUNTS; i++) {
        uint64_t looked_at = 0, under_way = 0;
        struct ni *ni;
        struct eq *eq;

        traffic_open(counts[i], false, &memory);
        traffic_wave_rise();
        ni = ni_enter_interface(many_interface(TRAFFIC_SERVERS));
        eq = eq_find(ni, traffic_wave_queue());
        for (uint64_t chain = 0; chain <= eq->reserved_mask; chain++) {
            uint32_t length = chain_length(&eq->reserved[chain]);

            looked_at += (uint64_t)length * (length + 1) / 2;
            under_way += length;
        }
        ni_leave(ni);
        traffic_wave_fall();
        traffic_close();
        CHECK_EQ(under_way, (uint64_t)counts[i] - 1, "so many operations are under way");
        CHECK(looked_at * 100 <= (uint64_t)LOOKED_AT_MEAN * under_way, "each looks at %.2f, itself included",
              (double)looked_at / (double)under_way);
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
    TAP_RUN(searches);
    TAP_RUN(all_at_once);
    TAP_RUN(directory);
    return tap_done();
}

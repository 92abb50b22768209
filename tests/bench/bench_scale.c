/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What it costs to be many (`make bench-scale`): memory and time in jobs of 10 to 10,000 endpoints of which all send to
 * some, and what it costs to find an entry in a long match list, beside the walk that the specification describes. All
 * in one process and one thread, so that only the core is measured; puts and gets carry 8 octets. Times are of the
 * processor, so that what else the machine does counts little.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ref-impl/core/match_index.h"
#include "ref-impl/nal/tcp_net.h"
#include "tests/bench/crowd.h"
#include "tests/bench/heap.h"
#include "tests/bench/many.h"

enum { REPEATS = 9, MESSAGES = 80000, SEARCHES = 20000, PORTAL = 2 };

static const uint32_t counts[] = {10, 100, 1000, 10000};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

static double median(double *values)
{
    qsort(values, REPEATS, sizeof(*values), compare);
    return values[REPEATS / 2];
}

/* The time of a message when a hub hears from all at once. */
static double wave(uint32_t count)
{
    uint32_t rounds = 1 + MESSAGES / 2 / count;
    double values[REPEATS];

    for (int i = 0; i < REPEATS; i++) {
        double begun = now_ns();

        for (uint32_t round = 0; round < rounds; round++) {
            crowd_wave();
        }
        values[i] = (now_ns() - begun) / ((double)rounds * count * 2);
    }
    return median(values);
}

/* One job: a line of the table. Returns the time of a message. */
static double job(uint32_t count, bool entry_each)
{
    uint32_t rounds = 1 + MESSAGES / CROWD_MESSAGES / count;
    struct crowd_memory memory;
    double values[REPEATS], typical;
    size_t open;

    crowd_open(count, entry_each, &memory);
    open = heap_held();
    crowd_round(); /* warms up */
    for (int i = 0; i < REPEATS; i++) {
        double begun = now_ns();

        for (uint32_t round = 0; round < rounds; round++) {
            crowd_round();
        }
        values[i] = (now_ns() - begun) / ((double)rounds * count * CROWD_MESSAGES);
    }
    typical = median(values);
    printf("%9u  %-9s %12zu %12zu %12.1f %14.0f %8.0f %8.0f %12.0f\n", count, entry_each ? "each" : "for all",
           memory.endpoints / count, memory.entries / (CROWD_HUBS + 1) / (entry_each ? count : 1),
           ((double)heap_held() - (double)open) / count, typical, values[0], values[REPEATS - 1], wave(count));
    crowd_close();
    return typical;
}

static void jobs(void)
{
    double first[2] = {0}, last[2] = {0};

    puts("All to some: every endpoint puts to a hub with acknowledgement, and gets from it.\n");
    puts("endpoints  entries     octets of    octets of    octets of  ns of a message                  and when all");
    puts("           at hubs   an endpoint     an entry  a known peer         median      min      max  come at once");
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < COUNTS; c++) {
            last[i] = job(counts[c], i == 1);
            first[i] = c == 0 ? last[i] : first[i];
        }
    }
    printf(
        "\nA message among %u endpoints takes %.2f times as long as among %u with one entry, %.2f times with one for "
        "each.\n",
        counts[COUNTS - 1], last[0] / first[0], counts[0], last[1] / first[1]);
    printf(
        "Over tcp, besides: %zu octets of the job's directory for a peer that is known, and %zu octets for a stream\n"
        "to a peer that was talked to.\n\n",
        2 * sizeof(struct wire_portals_id), sizeof(struct tcp_stream));
}

/* Entry i of the list for which searches are measured. */
static uint64_t bits_of(uint32_t i)
{
    return (uint64_t)i * 0x9e3779b97f4a7c15u;
}

static struct ni *list_open(uint32_t count)
{
    uint64_t interface, entry = 0;

    many_open(1);
    interface = many_interface(0);
    for (uint32_t i = 0; i < count; i++) {
        struct me_criteria criteria = {.process = many_id(CORE_ANY_ID), .match_bits = bits_of(i)};

        if ((i == 0 ? me_attach(interface, PORTAL, &criteria, false, &entry)
                    : me_insert(entry, false, &criteria, false, &entry)) != CORE_OK) {
            fprintf(stderr, "bench_scale: no memory for %u entries\n", count);
            exit(2);
        }
    }
    return ni_enter_interface(interface);
}

static const struct me *walk(const struct ni *ni, const struct match_list *list,
                             const struct wire_portals_header *request)
{
    for (const struct list *at = list->entries.next; at != &list->entries; at = at->next) {
        const struct me *me = LIST_OWNER(at, struct me, link);

        if (me_matches(ni, me, request)) {
            return me;
        }
    }
    return NULL;
}

static const struct me *by_index(const struct ni *ni, const struct match_list *list,
                                 const struct wire_portals_header *request)
{
    struct match_search search;
    const struct me *me = match_first(&search, list, request);

    while (me && !me_matches(ni, me, request)) {
        me = match_next(&search);
    }
    return me;
}

/* The time of one search for an entry that is anywhere in the list. */
static double search(const struct ni *ni, uint32_t count,
                     const struct me *(*find)(const struct ni *, const struct match_list *,
                                              const struct wire_portals_header *))
{
    struct wire_portals_header request = {.operation = WIRE_PORTALS_PUT, .initiator = many_id(0)};
    uint32_t searches = find == walk && count > 1000 ? SEARCHES / 20 : SEARCHES;
    double values[REPEATS];

    for (int i = 0; i < REPEATS; i++) {
        double begun = now_ns();

        for (uint32_t n = 0; n < searches; n++) {
            request.match_bits = bits_of((uint32_t)(((uint64_t)n * 2654435761u) % count));
            if (!find(ni, &ni->portals[PORTAL], &request)) {
                fprintf(stderr, "bench_scale: an entry was not found\n");
                exit(2);
            }
        }
        values[i] = (now_ns() - begun) / searches;
    }
    return median(values);
}

static void searches(void)
{
    puts("Finding an entry in a match list, anywhere.\n");
    puts("  entries   ns, as found   ns, by walking");
    for (int c = 0; c < COUNTS; c++) {
        struct ni *ni = list_open(counts[c]);
        double found = search(ni, counts[c], by_index), walked = search(ni, counts[c], walk);

        printf("%9u %14.0f %16.0f\n", counts[c], found, walked);
        ni_leave(ni);
        many_close();
    }
}

int main(void)
{
    jobs();
    searches();
    return 0;
}

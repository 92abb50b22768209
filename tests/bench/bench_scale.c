/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What it costs to be many (`make bench-scale`). Three tables: memory and time in jobs of 10 to 10,000 endpoints of
 * which all send to some, beside what touching that much memory alone costs; the time of a server that has a process to
 * itself, as a node of such a job is; and what it costs to find an entry in a long match list, beside the walk that the
 * specification describes. All in one process and one thread, so that only the core is measured; puts and gets carry 8
 * octets. Times are of the processor, and the least of several, so that what else the machine does counts little.
 */
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/me.h"
#include "ref-impl/nal/tcp/net.h"
#include "tests/bench/baseline.h"
#include "tests/bench/many.h"
#include "tests/bench/server.h"
#include "tests/bench/traffic.h"
#include "tests/unit/heap.h"

enum { REPEATS = 15, MESSAGES = 80000, WAVE_MESSAGES = 2, SEARCHES = 20000, PORTAL = 2, FEW = 8 };

static const uint32_t counts[] = {10, 100, 1000, 10000};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The least of the values: what else the machine does can only add to them. */
static double least(const double *values)
{
    double value = values[0];

    for (int i = 1; i < REPEATS; i++) {
        value = values[i] < value ? values[i] : value;
    }
    return value;
}

/* The time of a message, of which `call` lets so many go. */
static double time_of(void (*call)(void), uint32_t messages)
{
    uint32_t calls = 1 + MESSAGES / messages;
    double values[REPEATS];

    call(); /* warms up */
    for (int i = 0; i < REPEATS; i++) {
        double begun = now_ns();

        for (uint32_t n = 0; n < calls; n++) {
            call();
        }
        values[i] = (now_ns() - begun) / ((double)calls * messages);
    }
    return least(values);
}

/* The times of a message in one job. */
struct times {
    double turn, turn_memory; /* one endpoint after the other; the memory alone */
    double wave, wave_memory; /* all at once; the memory alone */
};

static struct times memory_alone(uint32_t count, bool entry_each)
{
    struct times times = {0};

    baseline_open(count, entry_each);
    times.turn_memory = time_of(baseline_round, count * TRAFFIC_MESSAGES);
    times.wave_memory = time_of(baseline_wave, count * WAVE_MESSAGES);
    baseline_close();
    return times;
}

/* One job: a line of the table. */
static struct times job(uint32_t count, bool entry_each)
{
    struct times times = memory_alone(count, entry_each);
    struct traffic_memory memory;
    size_t open;

    traffic_open(count, entry_each, &memory);
    open = heap_held();
    times.turn = time_of(traffic_round, count * TRAFFIC_MESSAGES);
    times.wave = time_of(traffic_wave, count * WAVE_MESSAGES);
    printf("%9u  %-7s %11zu %9zu %9.1f %13.0f %11.0f %15.0f %11.0f\n", count, entry_each ? "each" : "for all",
           memory.endpoints / count, memory.entries / (TRAFFIC_SERVERS + 1) / (entry_each ? count : 1),
           ((double)heap_held() - (double)open) / count, times.turn, times.turn_memory, times.wave, times.wave_memory);
    traffic_close();
    return times;
}

/* How the times of the largest job compare with those of the smallest. */
static void growth(const char *what, double first, double last, double baseline_first, double baseline_last)
{
    double more = last - first, baseline_more = baseline_last - baseline_first;

    printf("%-44s %5.2f times %6.0f ns %6.0f ns %6.0f ns\n", what, last / first, more, baseline_more,
           more - baseline_more);
}

static void jobs(void)
{
    struct times first[2] = {{0}}, last[2] = {{0}};
    const char *pages = getenv("GLIBC_TUNABLES");

    puts("All to some: every endpoint puts to a server with acknowledgement, and gets from it. `Memory alone` reads "
         "and");
    puts("writes as many lines of as many endpoints' memory in the same order, and does nothing else.");
    printf("Allocated in %s pages.\n\n", pages && strstr(pages, "malloc.hugetlb=1") ? "large" : "small");
    puts("endpoints  entries       octets of                ns of a message             ns, all at once");
    puts(
        "           at servers an endpoint  an entry    a peer     Portals   memory alone      Portals   memory alone");
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < COUNTS; c++) {
            last[i] = job(counts[c], i == 1);
            first[i] = c == 0 ? last[i] : first[i];
        }
    }
    printf("\nA message among %u endpoints, against one among %u:\n\n", counts[COUNTS - 1], counts[0]);
    puts("                                                            longer   of memory  of the rest");
    growth("one entry for all", first[0].turn, last[0].turn, first[0].turn_memory, last[0].turn_memory);
    growth("one entry for all, all at once", first[0].wave, last[0].wave, first[0].wave_memory, last[0].wave_memory);
    growth("an entry for each", first[1].turn, last[1].turn, first[1].turn_memory, last[1].turn_memory);
    growth("an entry for each, all at once", first[1].wave, last[1].wave, first[1].wave_memory, last[1].wave_memory);
    printf(
        "\nOver tcp, besides: %zu octets of the job's directory for a peer that is known, and %zu octets for a stream\n"
        "to a peer that was talked to.\n\n",
        2 * sizeof(struct wire_portals_id), sizeof(struct tcp_connection));
}

/* ---- a server alone -------------------------------------------------------------------------------------------------
 */

static uint32_t server_peers, server_apart; /* how many send, and how far their ranks are apart */

static void server_round(void)
{
    for (uint32_t i = 0; i < server_peers; i++) {
        server_hear(1 + i * server_apart);
    }
}

static double server(uint32_t count, bool entry_each, uint32_t peers)
{
    double time;

    server_open(count, entry_each);
    server_peers = peers;
    server_apart = (count - 1) / peers;
    time = time_of(server_round, peers * SERVER_MESSAGES);
    server_close();
    return time;
}

static void servers(void)
{
    double first[3] = {0}, last[3] = {0};

    puts("A server alone, in a process that holds nothing of the others: ns of a message.\n");
    puts("    knows   one entry,        an entry for each,   an entry for each,");
    printf("            all send in turn  the same %d send      all send in turn\n", FEW);
    for (int c = 0; c < COUNTS; c++) {
        last[0] = server(counts[c], false, counts[c] - 1);
        last[1] = server(counts[c], true, FEW);
        last[2] = server(counts[c], true, counts[c] - 1);
        printf("%9u %18.0f %20.0f %20.0f\n", counts[c], last[0], last[1], last[2]);
        for (int i = 0; i < 3 && c == 0; i++) {
            first[i] = last[i];
        }
    }
    printf("    times %18.2f %20.2f %20.2f\n\n", last[0] / first[0], last[1] / first[1], last[2] / first[2]);
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

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
    return least(values);
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
    /* Memory that goes back to the system between two waves, and is fetched again, would be measured too. */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_MMAP_THRESHOLD, INT_MAX);
    jobs();
    servers();
    searches();
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Many nodes on a simulated Intercept network: every node sends packets of 64 octets to the PEERS that follow it, EACH
 * to each, on all planes, through a tree of crossbars. Says what that takes of this machine, whether all arrived, and
 * how much of what the links sent was sent again though nothing was lost. `bench_icpt_all [NODES [PEERS [EACH]]]`:
 * 4096, all others and 1 unless said; 4096 1 1000 is nearest neighbours.
 */
#include "tests/intercept/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { NODES_MOST = 8192, EACH_MOST = 100000, KIB_A_MIB = 1024 };

struct sums {
    uint64_t sent, again;
};

static void links_add(struct sums *sums, const struct intercept_link *link)
{
    sums->sent += link->counts.packets_sent;
    sums->again += link->counts.packets_again;
}

static struct sums links_sum(const struct traffic *traffic)
{
    struct sums sums = {0, 0};

    for (uint32_t node = 0; node < traffic->nodes; node++) {
        for (unsigned plane = 0; plane < ICPT_PLANES; plane++) {
            links_add(&sums, &intercept_simulation_nic(traffic->simulation, node)->planes[plane].link);
        }
    }
    for (size_t i = 0; i < intercept_simulation_crossbars(traffic->simulation); i++) {
        for (unsigned port = 0; port < ICPT_PORTS; port++) {
            links_add(&sums, &intercept_simulation_crossbar(traffic->simulation, i)->ports[port].link);
        }
    }
    return sums;
}

/* A whole number from `least` to `most`, or 0. */
static unsigned number_read(const char *text, unsigned least, unsigned most)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);

    return end != text && *end == 0 && number >= least && number <= most ? (unsigned)number : 0;
}

int main(int argc, char **argv)
{
    unsigned nodes = argc > 1 ? number_read(argv[1], 2, NODES_MOST) : 4096;
    unsigned peers = argc > 2 ? number_read(argv[2], 1, nodes - 1) : nodes - 1;
    unsigned each = argc > 3 ? number_read(argv[3], 1, EACH_MOST) : 1;
    struct intercept_setup setup = intercept_setup_default(nodes);
    struct traffic traffic;
    struct rusage usage;
    bool good;

    if (argc > 4 || nodes == 0 || peers == 0 || each == 0) {
        fprintf(stderr,
                "bench_icpt_all: call it as bench_icpt_all [NODES [PEERS [EACH]]]: 2 to %d, fewer than nodes, to %d\n",
                (int)NODES_MOST, (int)EACH_MOST);
        return 2;
    }
    if (!traffic_begin(&traffic, &setup, each, peers)) {
        fprintf(stderr, "bench_icpt_all: no memory for %u nodes\n", nodes);
        return 2;
    }
    good = traffic_run(&traffic);
    struct sums sums = links_sum(&traffic);
    getrusage(RUSAGE_SELF, &usage);
    printf("%u nodes, %zu crossbars: %llu packets, %s\n", nodes, intercept_simulation_crossbars(traffic.simulation),
           (unsigned long long)traffic.received, good ? "each arrived once" : "NOT each arrived once");
    printf("virtual time %.1f ms; processor %.0f s; memory %ld MiB; of what links sent %.1f %% was sent again\n",
           (double)traffic.last_ns / 1e6, (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec,
           usage.ru_maxrss / KIB_A_MIB, 100.0 * (double)sums.again / (double)(sums.sent + sums.again));
    traffic_end(&traffic);
    return good ? 0 : 1;
}

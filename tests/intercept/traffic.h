/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Traffic through a simulated network: every node sends numbered packets to others, everybody reads what comes, and
 * each packet is counted once.
 */
#ifndef TESTS_INTERCEPT_TRAFFIC_H
#define TESTS_INTERCEPT_TRAFFIC_H

#include "ref-impl/intercept/simulation.h"

struct traffic {
    struct intercept_simulation *simulation;
    uint32_t nodes;
    unsigned each;  /* packets from each node to each of its peers */
    unsigned peers; /* how many: the ones behind it in the circle */
    uint8_t mask;   /* planes that each packet may use */
    size_t payload; /* octets, at least 8 */
    uint32_t *next; /* [node]: packets that it has posted */
    uint8_t *seen;  /* [node][peer][number]: how often it came */
    uint32_t *last; /* [node][peer]: the highest number that came, plus one */
    uint64_t received, doubles, inversions, misplaced;
    uint64_t last_ns; /* when the last packet was read */
};

/* traffic_begin - all set up and nothing sent; false: no memory.
 * traffic_post - a node posts what fits into its transmit buffer.
 * traffic_run - until all has come or nothing moves any more; true: each packet has come once.
 * traffic_end - frees all. */
bool traffic_begin(struct traffic *traffic, const struct intercept_setup *setup, unsigned each, unsigned peers);
void traffic_post(struct traffic *traffic, uint32_t node);
bool traffic_run(struct traffic *traffic);
void traffic_end(struct traffic *traffic);

#endif

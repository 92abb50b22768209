/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Programs on a simulated network, above drivers that grant wishes of the thesis's chapter 7 or do not: each process
 * does one operation after the other, puts that are acknowledged or gets, and everything that arrives is compared with
 * what was sent. In the place of the Portals header stands which operation it is, and which part of it.
 */
#ifndef TESTS_INTERCEPT_PROGRAMS_H
#define TESTS_INTERCEPT_PROGRAMS_H

#include "ref-impl/intercept/node.h"
#include "ref-impl/intercept/simulation.h"

enum { PROGRAMS_NODES = 64, PROGRAMS_MOST = 256 };

/* struct programs_setup is what runs. Process p is on node p / on_node and has VNIC p % on_node + 1; its partner is the
 * process `distance` behind it, in a circle. */
struct programs_setup {
    struct intercept_setup network; /* its nodes are those that the processes need */
    uint32_t processes, on_node, distance;
    uint32_t active;   /* processes that do operations; the others only answer */
    bool gets;         /* instead of puts */
    unsigned each;     /* operations of each of them */
    unsigned together; /* of them under way at a time */
    size_t length;     /* octets of each */
    unsigned wishes;
};

/* struct programs_result is what came of it. */
struct programs_result {
    bool is_good;     /* each operation was done once, with the right octets, and nobody owes anything */
    uint64_t packets; /* posted into TX-CBs */
    uint64_t joined;
    double operation_us; /* from the beginning to the end of the last one, by the number that each process did */
};

/* programs_run - runs them until nothing more happens. */
struct programs_result programs_run(const struct programs_setup *setup);

/* barriers_run - `rounds` barriers of all nodes, which come to the first at times of their own and to each other one as
 * soon as they may; operation_us is what one takes. */
struct programs_result barriers_run(const struct intercept_setup *network, unsigned rounds, bool is_broadcast);

#endif

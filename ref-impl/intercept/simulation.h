/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The network in virtual time: cards, cables, and on each plane a tree of crossbars. The same setup and seed give the
 * same run, frame by frame.
 *
 *      plane 0, plane 1, ..     root                 a module has 31 nodes or modules below it and one above;
 *                              /    \                the root has 32 below. Up to 32 nodes there is one module a plane,
 *                        module      module          and two nodes can be joined without any.
 *                        / .. \      / .. \
 *                     node   node  node   node
 *
 * The way from node to node is the one through the tree: no packet can go in a circle, and none waits for another in
 * one.
 */
#ifndef REF_IMPL_INTERCEPT_SIMULATION_H
#define REF_IMPL_INTERCEPT_SIMULATION_H

#include "ref-impl/intercept/agenda.h"
#include "ref-impl/intercept/crossbar.h"
#include "ref-impl/intercept/faults.h"
#include "ref-impl/intercept/machine.h"
#include "ref-impl/intercept/nic.h"

/* struct intercept_setup is what a run is made of. Times of zero: intercept_setup_default has the usual ones. */
//= ICPT-208
struct intercept_setup {
    uint32_t nodes;                 /* their addresses are 0, 1, .. */
    unsigned planes;                /* mask of those that are cabled, 1 to 15 */
    bool is_direct;                 /* two nodes, joined without a switch */
    bool is_store_and_forward;      /* crossbars wait for the end of a packet */
    struct intercept_faults faults; /* of every cable and every node */
    uint32_t octet_ps;              /* picoseconds an octet on a cable: 4000 are 2.5 Gbit/s in 8b/10b code */
    uint32_t cable_ns;              /* from end to end of a cable */
    uint64_t timer_ns;              /* of every link; 0: the usual one, too short where a bus is slow */
    const struct intercept_machine_setup *machine; /* around every card; NULL: buses and processors take no time */
    bool is_one_bus;                               /* all cards are on that of the first: loopback */
};

/* intercept_setup_default - that many nodes on four planes, cut-through, without faults. */
struct intercept_setup intercept_setup_default(uint32_t nodes);

/* struct intercept_host is a node's software: `run` is called after the card has raised its interrupt, at that time.
 * `write` and `sent` are as in struct intercept_nic_ops; all may be NULL. */
struct intercept_host {
    void (*run)(void *context, uint32_t node, uint64_t now_ns);
    void (*write)(void *context, void *token, unsigned char *to, const unsigned char *octets, size_t len);
    void (*sent)(void *context, void *cookie);
    void *context;
};

struct intercept_simulation;

/* intercept_simulation_new - the network, nothing sent yet; NULL: no memory, or a setup that cannot be.
 * intercept_simulation_free - all of it. */
struct intercept_simulation *intercept_simulation_new(const struct intercept_setup *setup);
void intercept_simulation_free(struct intercept_simulation *simulation);

/* intercept_simulation_host - gives a node its software. */
void intercept_simulation_host(struct intercept_simulation *simulation, uint32_t node,
                               const struct intercept_host *host);

/* intercept_simulation_nic - the card of a node. After posting call intercept_simulation_pump.
 * intercept_simulation_pump - lets it send.
 * intercept_simulation_wake - runs a node's software now, as its interrupt does. */
struct intercept_nic *intercept_simulation_nic(struct intercept_simulation *simulation, uint32_t node);
void intercept_simulation_pump(struct intercept_simulation *simulation, uint32_t node);
void intercept_simulation_wake(struct intercept_simulation *simulation, uint32_t node);

/* intercept_simulation_run - lets time pass until nothing more happens, or up to `until_ns`. True: nothing more
 * happens.
 * intercept_simulation_now - the time, in nanoseconds from the beginning. */
bool intercept_simulation_run(struct intercept_simulation *simulation, uint64_t until_ns);
uint64_t intercept_simulation_now(const struct intercept_simulation *simulation);

/* intercept_simulation_machine - the computer around a node's card; NULL: there is none. */
struct intercept_machine *intercept_simulation_machine(struct intercept_simulation *simulation, uint32_t node);

/* intercept_simulation_cut - cuts planes (a mask) from now on, in addition to those that are.
 * intercept_simulation_slow - a node is slow by so much from now on; the others stay as they are.
 * intercept_simulation_kill - a node is dead from now on: nothing of it leaves, and nothing in it happens.
 * intercept_simulation_patience - after how many timers in a row every link gives up. */
void intercept_simulation_cut(struct intercept_simulation *simulation, unsigned planes);
void intercept_simulation_slow(struct intercept_simulation *simulation, uint32_t node, uint64_t slow_ns);
void intercept_simulation_kill(struct intercept_simulation *simulation, uint32_t node);
void intercept_simulation_patience(struct intercept_simulation *simulation, unsigned expiries);

/* intercept_simulation_crossbars, intercept_simulation_crossbar - how many there are on all planes; each. */
size_t intercept_simulation_crossbars(const struct intercept_simulation *simulation);
const struct intercept_crossbar *intercept_simulation_crossbar(const struct intercept_simulation *simulation,
                                                               size_t index);

#endif

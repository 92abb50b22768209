/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A barrier of all nodes on the cards themselves, without Portals, on a VNIC of its own: a wish of the thesis's chapter
 * 7 (specs/intercept-wire.md, 12). Who enters tells the node above it when all below have entered; the topmost node
 * releases all, with one packet that the switches copy, or each node those below it.
 *
 *                  0             enter: up        release: by broadcast, 0 to everybody
 *             / / \ \                                      or down, as it went up
 *            1 2   3 4
 *           /|\ ..
 *
 * A node may be told of the next round before it is released from this one: packets of two planes overtake each other.
 */
#ifndef REF_IMPL_INTERCEPT_BARRIER_H
#define REF_IMPL_INTERCEPT_BARRIER_H

#include "ref-impl/intercept/nic.h"

enum { ICPT_BARRIER_VNIC = 15, ICPT_BARRIER_BELOW = 4 /* nodes below each */ };

/* struct intercept_barrier - begin with intercept_barrier_begin; all of it is the barrier's own. */
struct intercept_barrier {
    struct intercept_nic *nic;
    uint32_t nodes; /* 0 to nodes - 1 take part */
    bool is_broadcast;
    uint32_t round;
    unsigned told[2]; /* nodes below that have entered this round or the next, by the round's lowest bit */
    bool is_entered, is_up, is_released;
    unsigned down; /* nodes below that have been released */
};

/* intercept_barrier_begin - opens the barrier's VNIC of a card. False: it is open, or there is no memory.
 * intercept_barrier_enter - the node has come to the barrier; the next turn tells.
 * intercept_barrier_turn - takes what has come, and posts what is due. True, once for each intercept_barrier_enter: all
 * nodes have entered. To be called after the card's interrupt. */
bool intercept_barrier_begin(struct intercept_barrier *barrier, struct intercept_nic *nic, uint32_t nodes,
                             bool is_broadcast);
void intercept_barrier_enter(struct intercept_barrier *barrier);
bool intercept_barrier_turn(struct intercept_barrier *barrier, uint64_t now_ns);

#endif

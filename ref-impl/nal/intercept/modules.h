/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The modules of one plane of the live switch. A plane whose cards fit on the ports of a module is one module. A larger
 * one is a root whose ports lead to modules below it, each with cards at all its ports but the last, which leads up (as
 * in ref-impl/intercept/simulation.c):
 *
 *                    root
 *                   /    \         trunks: cables between modules, in memory
 *             module      module
 *             /  |  \      /  |    cables to the cards, which are the caller's
 *
 * The place of a card is its number among all ports for cards. What the links of a trunk send is taken along by
 * modules_carry, so that no link is entered from within itself; what a trunk has no room for is lost like any frame.
 */
#ifndef REF_IMPL_NAL_INTERCEPT_MODULES_H
#define REF_IMPL_NAL_INTERCEPT_MODULES_H

#include "ref-impl/intercept/crossbar.h"

enum { MODULES_CARDS_MAX = ICPT_PORTS * (ICPT_PORTS - 1) };

struct modules;

/* modules_make - those of a plane for so many cards, at most MODULES_CARDS_MAX, with no card connected; free with
 * modules_free. NULL: no memory. */
struct modules *modules_make(unsigned plane, uint32_t cards);
void modules_free(struct modules *modules);

/* modules_places - how many cards can be connected, at least as many as were asked for.
 * modules_port - the port of that place; without `ops`, nothing is connected to it. */
unsigned modules_places(const struct modules *modules);
struct intercept_port *modules_port(struct modules *modules, unsigned place);

/* modules_connect - the card with that address is at that place from now on, and nowhere else.
 * modules_disconnect - it is there no more. */
void modules_connect(struct modules *modules, unsigned place, uint16_t iuca, const struct intercept_port_ops *ops,
                     void *cable);
void modules_disconnect(struct modules *modules, unsigned place, uint16_t iuca);

/* modules_carry - takes along what is on the trunks; to be called behind whatever links may have sent in.
 * modules_expire - sends again what has waited too long; says when that is due next, UINT64_MAX: nothing is
 * outstanding. */
void modules_carry(struct modules *modules, uint64_t now_ns);
uint64_t modules_expire(struct modules *modules, uint64_t now_ns);

#endif

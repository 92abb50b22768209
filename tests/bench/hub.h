/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A hub alone: what one node of a large job does. The process holds the hub's own state and nothing of the endpoints
 * that send to it, so that what it costs to know many is seen by itself.
 */
#ifndef TESTS_BENCH_HUB_H
#define TESTS_BENCH_HUB_H

#include <stdbool.h>
#include <stdint.h>

enum { HUB_MESSAGES = 4 /* of one hub_hear: put, acknowledgement, get, reply */ };

/* hub_open makes a hub that knows `count` endpoints: it has one entry for everybody, or (`entry_each`) one for each.
 * Ends the program with a word when something fails, as all here. */
void hub_open(uint32_t count, bool entry_each);

/* hub_hear lets an endpoint, not 0, put to the hub with acknowledgement and get from it; takes both events. */
void hub_hear(uint32_t rank);

/* hub_steps is how many entries the hub looks at to find the one for a message of that endpoint. */
uint32_t hub_steps(uint32_t rank);

/* hub_close ends it. */
void hub_close(void);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A server alone: what one node of a large job does. The process holds the server's own state and nothing of the
 * endpoints that send to it, so that what it costs to know many is seen by itself.
 */
#ifndef TESTS_BENCH_SERVER_H
#define TESTS_BENCH_SERVER_H

#include <stdbool.h>
#include <stdint.h>

enum { SERVER_MESSAGES = 4 /* of one server_hear: put, acknowledgement, get, reply */ };

/* server_open makes a server that knows `count` endpoints: it has one entry for everybody, or (`entry_each`) one for
 * each. Ends the program with a word when something fails, as all here. */
void server_open(uint32_t count, bool entry_each);

/* server_hear lets an endpoint, not 0, put to the server with acknowledgement and get from it; takes both events. */
void server_hear(uint32_t rank);

/* server_steps is how many entries the server looks at to find the one for a message of that endpoint. */
uint32_t server_steps(uint32_t rank);

/* server_close ends it. */
void server_close(void);

#endif

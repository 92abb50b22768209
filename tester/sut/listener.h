/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What `assay run` has instead of an HTTP server: accepts the HTTP upgrade of specs/interpreter.md, section 1, and
 * nothing else, and hands the connections to the engine. The service has a real HTTP server instead.
 */
#ifndef TESTER_SUT_LISTENER_H
#define TESTER_SUT_LISTENER_H

#include "tester/base/loop.h"

#include <stdbool.h>
#include <stddef.h>

struct listener;

/* listener_open listens at "ADDRESS:PORT" (numeric IPv4; port 0 takes a free one) in the loop; NULL and a message when
 * it cannot. */
struct listener *listener_open(struct loop *loop, const char *where, char *message, size_t message_octets);

/* listener_address is "ADDRESS:PORT" with the real port. It lives as long as the listener. */
const char *listener_address(const struct listener *listener);

/* listener_expire closes connections that have not sent their request within 5 seconds; returns in how many ms it
 * should be called again, -1 when there is none. A new connection does so too, so that idle ones never keep it out for
 * longer than that. */
int listener_expire(struct listener *listener);

/* listener_close closes it with all connections that have not been handed on, and frees it. */
void listener_close(struct listener *listener);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agent as the way to a service that is reached by TLS, or only from the agent's machine: agent and interpreters
 * connect to the relay, which is a process of its own, and it connects to the service for each (tunnel.h). It ends with
 * the agent.
 */
#ifndef INTERPRETER_AGENT_RELAY_H
#define INTERPRETER_AGENT_RELAY_H

#include <stdbool.h>
#include <stddef.h>

struct tunnel;

/* So many connections are carried at once, each by a process and its command; the next is refused. */
enum { RELAY_MOST = 512 };

/* relay_open starts the relay: it listens at `where` ("HOST:PORT", port 0 being any; NULL: 127.0.0.1, any port).
 * `address` becomes where it is reached. False when one line on stderr has said why it cannot be. */
bool relay_open(const struct tunnel *tunnel, const char *where, char *address, size_t address_octets);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Packets from one side of a host agent to the other: see carry.c.
 */
#ifndef REF_IMPL_IMPI_AGENT_CARRY_H
#define REF_IMPL_IMPI_AGENT_CARRY_H

#include <stdint.h>

struct agent;

/* agent_carry_channel, agent_carry_link - take what has come on the channel to a host, on the link of a world rank: put
 * its packets on the connections where they belong, and note the connection's end. A failure shows in agent->status. Do
 * not block. */
void agent_carry_channel(struct agent *agent, uint32_t host);
void agent_carry_link(struct agent *agent, uint32_t rank);

#endif

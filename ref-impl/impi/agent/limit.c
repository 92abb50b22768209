/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How much a host agent keeps at most; see agent/state.h. What waits for somebody who does not read is bounded by flow
 * control (chapter 3.3): whoever sends stops at the hiwater, so what is above these limits nobody who keeps to it has
 * sent. All factors come from the negotiation, and their product may be larger than any memory; then there is no limit
 * but the memory itself.
 */
#include "ref-impl/impi/agent/limit.h"
#include "ref-impl/impi/agent/state.h"

enum { MARGIN_PACKETS = 16 };

/* A product, or SIZE_MAX where it is larger. */
static size_t times(size_t a, size_t b)
{
    size_t product = 0;

    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* A sum, or SIZE_MAX where it is larger. */
static size_t plus(size_t a, size_t b)
{
    size_t sum = 0;

    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

/* Packets that one process may send to another one without its acknowledgement, and some that need none. */
static size_t packets_of_pair(const struct link_world *world)
{
    return plus(world->hiwater, MARGIN_PACKETS);
}

static size_t packet_octets(const struct link_world *world)
{
    return plus(WIRE_IMPI_PACKET_OCTETS, world->datalen);
}

size_t agent_limit_waiting(const struct link_world *world, const struct agreed_host *self)
{
    size_t remote = 0;

    for (uint32_t rank = 0; rank < world->size; rank++) {
        remote += world->members[rank].client != self->client;
    }
    return plus(times(times(remote, packets_of_pair(world)), packet_octets(world)), link_world_octets(world));
}

size_t agent_limit_leaving(const struct link_world *world, const struct agreed_host *self)
{
    size_t pairs = times(self->processes, world->size);

    return times(times(pairs, packets_of_pair(world)), plus(packet_octets(world), WIRE_IMPI_PACKET_OCTETS));
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A server alone: see server.h.
 */
#include "tests/bench/server.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/me_object.h"
#include "tests/bench/many.h"
#include "tests/bench/traffic.h"

enum { EVENTS = 8, THEIR_DESCRIPTOR = 1 };

static uint64_t interface, queue;

static void demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "server: %s failed\n", what);
        exit(2);
    }
}

void server_open(uint32_t count, bool entry_each)
{
    many_open_alone(count);
    interface = many_interface(0);
    demand(eq_alloc(interface, EVENTS, &queue) == CORE_OK, "eq_alloc");
    traffic_list(interface, queue, count, entry_each);
}

static struct wire_portals_header request_of(uint32_t rank, uint32_t operation)
{
    return (struct wire_portals_header){
        .operation = operation,
        .initiator = many_id(rank),
        .target = many_id(0),
        .portal = TRAFFIC_PORTAL,
        .match_bits = traffic_bits(rank),
        .md = THEIR_DESCRIPTOR,
        .rlength = TRAFFIC_OCTETS,
    };
}

static void expect(enum core_event_kind kind)
{
    struct core_event event;

    demand(eq_get(queue, &event) == CORE_OK && event.kind == kind && event.mlength == TRAFFIC_OCTETS,
           "an event that must be there");
}

void server_hear(uint32_t rank)
{
    static const char octets[TRAFFIC_OCTETS];
    struct wire_portals_header put = request_of(rank, WIRE_PORTALS_PUT), get = request_of(rank, WIRE_PORTALS_GET);

    many_arrive(&put, octets, sizeof(octets));
    expect(CORE_EVENT_PUT);
    many_arrive(&get, NULL, 0);
    expect(CORE_EVENT_GET);
}

uint32_t server_steps(uint32_t rank)
{
    struct wire_portals_header request = request_of(rank, WIRE_PORTALS_PUT);
    struct ni *ni = ni_enter_interface(interface);
    struct match_search search;
    const struct me *me;

    demand(ni, "entering the interface");
    me = match_first(&search, &ni->portals[TRAFFIC_PORTAL], &request);
    while (me && !me_matches(ni, me, &request)) {
        me = match_next(&search);
    }
    demand(me, "finding an entry");
    ni_leave(ni);
    return search.steps;
}

void server_close(void)
{
    many_close();
}

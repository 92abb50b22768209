/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * All to some: see traffic.h.
 */
#include "tests/bench/traffic.h"

#include <stdio.h>
#include <stdlib.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/me.h"
#include "ref-impl/core/messages/get.h"
#include "ref-impl/core/messages/put.h"
#include "tests/bench/many.h"
#include "tests/unit/heap.h"

enum { OCTETS = TRAFFIC_OCTETS, EVENTS = 8, WAVE_SERVER = TRAFFIC_SERVERS };

struct member {
    uint64_t queue;
    uint64_t source; /* descriptor of what it puts, and where replies go */
    char octets[OCTETS];
};

static struct member *members;
static uint32_t member_count, round_number;
static char server_octets[OCTETS];

static void demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "traffic: %s failed\n", what);
        exit(2);
    }
}

static void member_open(uint32_t rank)
{
    struct member *member = &members[rank];
    struct core_md value = {.start = member->octets, .length = OCTETS, .threshold = CORE_ENDLESS};
    uint64_t interface = many_interface(rank), events = rank == WAVE_SERVER ? member_count : EVENTS;

    demand(eq_alloc(interface, events, &member->queue) == CORE_OK, "eq_alloc");
    value.eventq = member->queue;
    demand(md_bind(interface, &value, &member->source) == CORE_OK, "md_bind");
}

uint64_t traffic_bits(uint32_t rank)
{
    return (uint64_t)rank << 32 | 0x5eed;
}

void traffic_list(uint64_t interface, uint64_t queue, uint32_t count, bool entry_each)
{
    uint64_t entry = 0, descriptor;
    struct core_md value = {
        .start = server_octets,
        .length = OCTETS,
        .threshold = CORE_ENDLESS,
        .options = CORE_SERVES_PUT | CORE_SERVES_GET | CORE_REMOTE_OFFSET,
        .eventq = queue,
    };

    for (uint32_t rank = 0; rank < (entry_each ? count : 1); rank++) {
        struct me_criteria criteria = {
            .process = many_id(entry_each ? rank : CORE_ANY_ID),
            .match_bits = entry_each ? traffic_bits(rank) : 0,
            .ignore_bits = entry_each ? 0 : UINT64_MAX,
        };

        demand((rank == 0 ? me_attach(interface, TRAFFIC_PORTAL, &criteria, false, &entry)
                          : me_insert(entry, false, &criteria, false, &entry)) == CORE_OK,
               "making an entry");
        demand(md_attach(entry, &value, false, &descriptor) == CORE_OK, "md_attach");
    }
}

void traffic_open(uint32_t count, bool entry_each, struct traffic_memory *memory)
{
    size_t held = heap_held(), own;

    many_open(count);
    memory->endpoints = heap_held() - held - many_octets();
    members = calloc(count, sizeof(*members));
    demand(members, "memory");
    member_count = count;
    own = heap_held();
    for (uint32_t rank = 0; rank < count; rank++) {
        member_open(rank);
    }
    memory->objects = heap_held() - own;
    held = heap_held();
    for (uint32_t server = 0; server <= WAVE_SERVER; server++) {
        traffic_list(many_interface(server), members[server].queue, count, entry_each);
    }
    memory->entries = heap_held() - held;
}

/* Takes the event that an endpoint must have. */
static void expect(uint32_t rank, enum core_event_kind kind)
{
    struct core_event event;

    (void)many_interface(rank);
    demand(eq_get(members[rank].queue, &event) == CORE_OK && event.kind == kind && event.mlength == OCTETS,
           "an event that must be there");
}

static void visit(uint32_t rank, uint32_t server)
{
    struct message_address address = {
        .target = many_id(server), .portal = TRAFFIC_PORTAL, .match_bits = traffic_bits(rank)};

    (void)many_interface(rank);
    demand(message_put_start(members[rank].source, true, &address) == CORE_OK, "a put");
    expect(rank, CORE_EVENT_SENT);
    if (rank != server) { /* else one queue holds both, and the put is over when the acknowledgement has left */
        expect(server, CORE_EVENT_PUT);
        expect(rank, CORE_EVENT_ACK);
    } else {
        expect(rank, CORE_EVENT_ACK);
        expect(server, CORE_EVENT_PUT);
    }
    (void)many_interface(rank);
    demand(message_get_start(members[rank].source, &address) == CORE_OK, "a get");
    expect(server, CORE_EVENT_GET);
    expect(rank, CORE_EVENT_REPLY);
}

void traffic_round(void)
{
    for (uint32_t rank = 0; rank < member_count; rank++) {
        visit(rank, (rank + round_number) % TRAFFIC_SERVERS);
    }
    round_number++;
}

/* The endpoint behind this one that takes part in a wave, or beyond the last. */
static uint32_t wave_next(uint32_t rank)
{
    return rank + 1 == WAVE_SERVER ? rank + 2 : rank + 1;
}

void traffic_wave_rise(void)
{
    many_hold();
    for (uint32_t rank = 0; rank < member_count; rank = wave_next(rank)) {
        struct message_address address = {
            .target = many_id(WAVE_SERVER), .portal = TRAFFIC_PORTAL, .match_bits = traffic_bits(rank)};

        (void)many_interface(rank);
        demand(message_put_start(members[rank].source, true, &address) == CORE_OK, "a put");
    }
}

void traffic_wave_fall(void)
{
    many_land();
    for (uint32_t rank = 0; rank < member_count; rank = wave_next(rank)) {
        /* The acknowledgement was sent from inside the landing, before the network said that the put had left. */
        expect(rank, CORE_EVENT_ACK);
        expect(rank, CORE_EVENT_SENT);
        expect(WAVE_SERVER, CORE_EVENT_PUT);
    }
}

void traffic_wave(void)
{
    traffic_wave_rise();
    traffic_wave_fall();
}

uint64_t traffic_wave_queue(void)
{
    return members[WAVE_SERVER].queue;
}

int64_t traffic_dropped(void)
{
    int64_t all = 0, one;

    for (uint32_t rank = 0; rank < member_count; rank++) {
        demand(ni_dropped(many_interface(rank), &one) == CORE_OK, "ni_dropped");
        all += one;
    }
    return all;
}

void traffic_close(void)
{
    many_close();
    free(members);
    members = NULL;
}

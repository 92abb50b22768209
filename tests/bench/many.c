/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The job in one process: see many.h. As in the loop network (ref-impl/nal/loop.c) messages go through a queue that the
 * first sender empties, so that an answer that is sent from inside an upcall waits for its turn.
 */
#include "tests/bench/many.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref-impl/core/ni_open.h"
#include "ref-impl/core/ni_table.h"
#include "ref-impl/core/policy.h"

enum { NODE = 0x7f000001, FIRST_PID = 1000, QUEUE = 64 };

struct endpoint {
    struct nal nal;
    struct ni *ni;
    uint64_t interface;
    void *core;
};

struct parcel {
    struct endpoint *sender;
    struct wire_portals_header header;
    const void *payload;
    uint64_t length;
    void *cookie;
};

/* A message whose header has arrived and whose payload is on its way. */
struct landing {
    struct endpoint *sender, *target;
    const void *payload;
    uint64_t length;
    void *cookie;
    struct nal_sink sink;
};

static struct endpoint *endpoints;
static struct endpoint *acting; /* whose interfaces the calls of the thread find */
static uint32_t endpoint_count, group_size;
static struct nal_upcalls upcalls;
static struct parcel queue[QUEUE]; /* a ring; an empty one begins anew */
static uint32_t queue_first, queue_count;
static bool delivering, holding;
static struct landing *held; /* as many as endpoints */
static uint32_t held_count;
static uint64_t delivered;

static void demand(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "many: %s failed\n", what);
        exit(2);
    }
}

/* Who shall have a message; NULL: somebody who is not here. */
static struct endpoint *target_of(const struct parcel *parcel)
{
    uint32_t rank = parcel->header.target.pid - FIRST_PID;

    return rank < endpoint_count ? &endpoints[rank] : NULL;
}

static void land(const struct landing *landing)
{
    const struct nal_sink *sink = &landing->sink;

    if (sink->length) {
        memcpy(sink->start, landing->payload, sink->length < landing->length ? sink->length : landing->length);
    }
    if (sink->token) {
        upcalls.landed(landing->target->core, sink->token, true);
    }
    if (landing->cookie) {
        upcalls.sent(landing->sender->core, landing->cookie, true);
    }
    delivered++;
}

static void deliver(const struct parcel *parcel)
{
    struct landing landing = {parcel->sender, target_of(parcel), parcel->payload, parcel->length, parcel->cookie, {0}};

    if (!landing.target) {
        land(&landing);
        return;
    }
    upcalls.arrive(landing.target->core, &parcel->header, &landing.sink);
    if (holding && parcel->header.operation == WIRE_PORTALS_PUT) {
        demand(held_count < endpoint_count, "holding one put of each endpoint");
        held[held_count++] = landing;
    } else {
        land(&landing);
    }
}

/* Delivers what is queued, and what is queued meanwhile. */
static void deliver_queue(void)
{
    while (queue_count > 0) {
        deliver(&queue[queue_first]);
        queue_count--;
        queue_first = queue_count > 0 ? (queue_first + 1) % QUEUE : 0;
    }
    delivering = false;
}

static enum nal_status many_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                 uint64_t length, void *cookie)
{
    if (header->target.pid < FIRST_PID || header->target.pid - FIRST_PID >= group_size) {
        return NAL_NO_ROUTE;
    }
    if (queue_count == QUEUE) {
        return NAL_NO_MEMORY;
    }
    queue[(queue_first + queue_count++) % QUEUE] =
        (struct parcel){(struct endpoint *)(void *)nal, *header, payload, length, cookie};
    if (delivering) {
        return NAL_OK;
    }
    delivering = true;
    deliver_queue();
    return NAL_OK;
}

static void many_revoke(struct nal *nal, void *token)
{
    (void)nal;
    (void)token; /* whatever was accepted has landed */
}

static double many_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    (void)nal;
    return peer->rid;
}

static void many_end(struct nal *nal)
{
    (void)nal;
}

static const struct nal_ops many_ops = {
    .name = "many",
    .send = many_send,
    .revoke = many_revoke,
    .distance = many_distance,
    .close = many_end,
};

enum nal_status nal_open(const struct nal_config *config, const struct nal_upcalls *core_upcalls, void *core,
                         struct nal **nal)
{
    struct endpoint *endpoint = &endpoints[config->self.rid];

    endpoint->nal.ops = &many_ops;
    endpoint->core = core;
    upcalls = *core_upcalls;
    *nal = &endpoint->nal;
    return NAL_OK;
}

/* Each endpoint has the one interface. */
struct ni *ni_table_at(uint32_t number)
{
    return number == 0 && acting ? acting->ni : NULL;
}

struct wire_portals_id many_id(uint32_t rank)
{
    if (rank == CORE_ANY_ID) {
        return (struct wire_portals_id){CORE_ANY_ID, CORE_ANY_ID, MANY_GROUP, CORE_ANY_ID};
    }
    return (struct wire_portals_id){.nid = NODE, .pid = FIRST_PID + rank, .gid = MANY_GROUP, .rid = rank};
}

static bool member(uint32_t gid, uint32_t rid, struct wire_portals_id *id)
{
    if (gid != MANY_GROUP || rid >= group_size) {
        return false;
    }
    *id = many_id(rid);
    return true;
}

/* Makes the first `count` endpoints of a job of `all`. */
static void open_some(uint32_t count, uint32_t all)
{
    struct ni_config config = {.policy = &policy_3_0, .portals = 4, .accesses = 2, .group_size = all, .member = member};

    endpoints = calloc(count, sizeof(*endpoints));
    held = calloc(count, sizeof(*held));
    demand(endpoints && held, "memory for the endpoints");
    endpoint_count = count;
    group_size = all;
    delivered = 0;
    for (uint32_t rank = 0; rank < count; rank++) {
        endpoints[rank].ni = malloc(sizeof(struct ni));
        demand(endpoints[rank].ni, "memory for an endpoint");
        ni_init(endpoints[rank].ni, 0);
        acting = &endpoints[rank];
        config.self = many_id(rank);
        demand(ni_open(0, &config, &endpoints[rank].interface) == CORE_OK, "ni_open");
    }
}

void many_open(uint32_t count)
{
    open_some(count, count);
}

void many_open_alone(uint32_t count)
{
    open_some(1, count);
}

void many_arrive(const struct wire_portals_header *header, const void *payload, uint64_t length)
{
    struct parcel parcel = {.header = *header, .payload = payload, .length = length};

    demand(target_of(&parcel) && !delivering, "an arrival at an endpoint that is here");
    delivering = true;
    deliver(&parcel);
    deliver_queue();
}

uint64_t many_interface(uint32_t rank)
{
    acting = &endpoints[rank];
    return endpoints[rank].interface;
}

void many_hold(void)
{
    held_count = 0;
    holding = true;
}

void many_land(void)
{
    holding = false;
    for (uint32_t i = 0; i < held_count; i++) {
        land(&held[i]);
    }
}

size_t many_octets(void)
{
    return endpoint_count * (sizeof(*endpoints) + sizeof(*held));
}

uint64_t many_messages(void)
{
    return delivered;
}

void many_close(void)
{
    for (uint32_t rank = 0; rank < endpoint_count; rank++) {
        demand(ni_close(many_interface(rank)) == CORE_OK, "ni_close");
        ni_fini(endpoints[rank].ni);
        free(endpoints[rank].ni);
    }
    acting = NULL;
    free(held);
    free(endpoints);
}

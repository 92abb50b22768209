/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Landings: where the payload of an arriving message goes, from the moment in which the core has said so in `arrive`
 * until all of it is stored, and how the core takes that back. The payload goes straight to the user's memory.
 *
 *            arrive                  all stored: landed(complete)
 *    NONE -----------> ACTIVE ------------------------------------> NONE
 *                        |                                           ^
 *                        | revoke (any thread)      settle (progress): landed(not complete)
 *                        v                                           |
 *                      REVOKED --------------------------------------+
 *
 * Revoking never waits for the peer: it waits at most for one `arrive`, which decides at once, and for one piece that
 * is being stored from what has arrived already. A short message that is all here is given to the core as a whole,
 * which then revokes nothing of it, or is stored while its `arrive` still counts as running: it needs no landing.
 */
#include "ref-impl/nal/peer/arrivals.h"

#include <string.h>

static void landing_link(struct arrivals *arrivals, struct landing *landing)
{
    landing->state = LANDING_ACTIVE;
    landing->prev = NULL;
    landing->next = arrivals->landings;
    if (landing->next) {
        landing->next->prev = landing;
    }
    arrivals->landings = landing;
}

static void landing_unlink(struct arrivals *arrivals, struct landing *landing, enum landing_state state)
{
    if (landing->prev) {
        landing->prev->next = landing->next;
    } else {
        arrivals->landings = landing->next;
    }
    if (landing->next) {
        landing->next->prev = landing->prev;
    }
    landing->state = state;
}

/* Marks that `arrive` of this interface is running; NULL when it is not open. */
static struct arrivals_port *arrive_begin(struct arrivals *arrivals, uint32_t number)
{
    lock_take(arrivals->network.lock);
    struct arrivals_port *port = number < ARRIVALS_INTERFACES ? arrivals->ports[number] : NULL;
    arrivals->arriving = port;
    lock_give(arrivals->network.lock);
    return port;
}

static void arrive_end(struct arrivals *arrivals)
{
    lock_take(arrivals->network.lock);
    arrivals->arriving = NULL;
    arrivals->count++;
    pthread_cond_broadcast(arrivals->network.quiet);
    lock_give(arrivals->network.lock);
}

bool landing_begin(struct arrivals *arrivals, struct landing *landing, uint32_t number,
                   const struct wire_portals_header *header, uint64_t payload_octets)
{
    struct arrivals_port *to = arrive_begin(arrivals, number);
    struct nal_sink sink = {NULL, 0, NULL};

    if (!to) {
        return false;
    }
    to->upcalls.arrive(to->core, header, &sink);
    pthread_mutex_lock(&arrivals->sink_lock);
    landing->start = sink.start;
    landing->remaining = sink.length < payload_octets ? sink.length : payload_octets;
    if (!sink.start) {
        landing->remaining = 0;
    }
    landing->token = sink.token;
    landing->port = to;
    if (sink.token || landing->remaining > 0) {
        landing_link(arrivals, landing);
    }
    pthread_mutex_unlock(&arrivals->sink_lock);
    arrive_end(arrivals);
    return true;
}

bool landing_whole(struct arrivals *arrivals, uint32_t number, const struct wire_portals_header *header,
                   const void *payload, size_t payload_octets)
{
    /* Only the progress thread takes it away, and here that is us. */
    struct arrivals_port *to =
        number < ARRIVALS_INTERFACES ? atomic_load_explicit(&arrivals->ports[number], memory_order_acquire) : NULL;
    struct nal_sink sink = {NULL, 0, NULL};

    if (!to) {
        return false;
    }
    if (to->upcalls.whole) {
        to->upcalls.whole(to->core, header, payload, payload_octets);
        return true;
    }
    (void)arrive_begin(arrivals, number);
    to->upcalls.arrive(to->core, header, &sink);
    if (sink.start && payload_octets > 0 && sink.length > 0) {
        memcpy(sink.start, payload, sink.length < payload_octets ? (size_t)sink.length : payload_octets);
    }
    arrive_end(arrivals);
    if (sink.token) {
        to->upcalls.landed(to->core, sink.token, true);
    }
    return true;
}

size_t landing_room(const struct landing *landing, void **start)
{
    if (landing->state != LANDING_ACTIVE) {
        return 0;
    }
    *start = landing->start;
    return landing->remaining < ARRIVALS_PIECE ? (size_t)landing->remaining : ARRIVALS_PIECE;
}

void landing_book(struct landing *landing, size_t stored)
{
    landing->start += stored;
    landing->remaining -= stored;
}

size_t landing_store(struct arrivals *arrivals, struct landing *landing, const void *octets, size_t len)
{
    size_t stored = 0;

    pthread_mutex_lock(&arrivals->sink_lock);
    if (landing->state == LANDING_ACTIVE) {
        stored = len < landing->remaining ? len : (size_t)landing->remaining;
        if (stored > 0) {
            memmove(landing->start, octets, stored); /* a message to oneself may overlap its own landing */
        }
        landing_book(landing, stored);
    }
    pthread_mutex_unlock(&arrivals->sink_lock);
    return stored;
}

void landing_end(struct arrivals *arrivals, struct landing *landing, bool complete)
{
    pthread_mutex_lock(&arrivals->sink_lock);
    bool active = landing->state == LANDING_ACTIVE;
    bool revoked = landing->state == LANDING_REVOKED;
    if (active) {
        landing_unlink(arrivals, landing, LANDING_NONE);
    }
    landing->state = LANDING_NONE;
    landing->remaining = 0;
    pthread_mutex_unlock(&arrivals->sink_lock);
    if ((active || revoked) && landing->token) {
        landing->port->upcalls.landed(landing->port->core, landing->token, complete && active);
    }
}

uint64_t landing_settle(struct arrivals *arrivals, struct landing *landing)
{
    uint64_t lost = 0;

    pthread_mutex_lock(&arrivals->sink_lock);
    bool revoked = landing->state == LANDING_REVOKED;
    if (revoked) {
        lost = landing->remaining;
        landing->remaining = 0;
    }
    pthread_mutex_unlock(&arrivals->sink_lock);
    if (revoked) {
        landing_end(arrivals, landing, false);
    }
    return lost;
}

void landing_revoke(struct arrivals_port *port, void *token)
{
    struct arrivals *arrivals = port->arrivals;
    const struct arrivals_network *network = &arrivals->network;
    bool found = false;

    lock_take(network->lock);
    /* A running `arrive` may be about to give out this very token. */
    uint64_t count = arrivals->count;
    while (arrivals->arriving == port && arrivals->count == count && !network->is_progress(network->net)) {
        lock_wait(network->lock, network->quiet);
    }
    pthread_mutex_lock(&arrivals->sink_lock);
    for (struct landing *landing = arrivals->landings; landing; landing = landing->next) {
        if (landing->token == token && landing->port == port) {
            landing_unlink(arrivals, landing, LANDING_REVOKED);
            found = true;
            break;
        }
    }
    pthread_mutex_unlock(&arrivals->sink_lock);
    if (found) {
        network->wake_all(network->net); /* `landed` comes from the progress thread, also when the peer is silent */
    }
    lock_give(network->lock);
}

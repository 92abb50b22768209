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
 * is being stored from what the kernel holds already.
 */
#include "ref-impl/nal/tcp_net.h"

#include <string.h>

static void landing_link(struct tcp_net *net, struct tcp_landing *landing)
{
    landing->state = TCP_LANDING_ACTIVE;
    landing->prev = NULL;
    landing->next = net->landings;
    if (landing->next) {
        landing->next->prev = landing;
    }
    net->landings = landing;
}

static void landing_unlink(struct tcp_net *net, struct tcp_landing *landing, enum tcp_landing_state state)
{
    if (landing->prev) {
        landing->prev->next = landing->next;
    } else {
        net->landings = landing->next;
    }
    if (landing->next) {
        landing->next->prev = landing->prev;
    }
    landing->state = state;
}

/* Marks that `arrive` of this interface is running; NULL when it is not open. */
static struct tcp_interface *arrive_begin(struct tcp_net *net, uint32_t number)
{
    pthread_mutex_lock(&net->lock);
    struct tcp_interface *interface = number < TCP_INTERFACES ? net->interfaces[number] : NULL;
    net->arriving = interface;
    pthread_mutex_unlock(&net->lock);
    return interface;
}

static void arrive_end(struct tcp_net *net)
{
    pthread_mutex_lock(&net->lock);
    net->arriving = NULL;
    net->arrivals++;
    pthread_cond_broadcast(&net->quiet);
    pthread_mutex_unlock(&net->lock);
}

bool tcp_landing_begin(struct tcp_net *net, struct tcp_landing *landing, uint32_t interface,
                       const struct wire_portals_header *header, uint64_t payload_octets)
{
    struct tcp_interface *to = arrive_begin(net, interface);
    struct nal_sink sink = {NULL, 0, NULL};

    if (!to) {
        return false;
    }
    to->upcalls.arrive(to->core, header, &sink);
    pthread_mutex_lock(&net->sink_lock);
    landing->start = sink.start;
    landing->remaining = sink.start && sink.length < payload_octets ? sink.length : payload_octets;
    if (!sink.start) {
        landing->remaining = 0;
    }
    landing->token = sink.token;
    landing->interface = to;
    if (sink.token || landing->remaining > 0) {
        landing_link(net, landing);
    }
    pthread_mutex_unlock(&net->sink_lock);
    arrive_end(net);
    return true;
}

size_t tcp_landing_store(struct tcp_net *net, struct tcp_landing *landing, const void *octets, size_t len)
{
    size_t stored = 0;

    pthread_mutex_lock(&net->sink_lock);
    if (landing->state == TCP_LANDING_ACTIVE) {
        stored = len < landing->remaining ? len : (size_t)landing->remaining;
        if (stored > 0) {
            memmove(landing->start, octets, stored); /* a message to oneself may overlap its own landing */
        }
        landing->start += stored;
        landing->remaining -= stored;
    }
    pthread_mutex_unlock(&net->sink_lock);
    return stored;
}

void tcp_landing_end(struct tcp_net *net, struct tcp_landing *landing, bool complete)
{
    pthread_mutex_lock(&net->sink_lock);
    bool active = landing->state == TCP_LANDING_ACTIVE;
    bool revoked = landing->state == TCP_LANDING_REVOKED;
    if (active) {
        landing_unlink(net, landing, TCP_LANDING_NONE);
    }
    landing->state = TCP_LANDING_NONE;
    pthread_mutex_unlock(&net->sink_lock);
    if ((active || revoked) && landing->token) {
        landing->interface->upcalls.landed(landing->interface->core, landing->token, complete && active);
    }
}

uint64_t tcp_landing_settle(struct tcp_net *net, struct tcp_landing *landing)
{
    uint64_t lost = 0;

    pthread_mutex_lock(&net->sink_lock);
    bool revoked = landing->state == TCP_LANDING_REVOKED;
    if (revoked) {
        lost = landing->remaining;
        landing->remaining = 0;
    }
    pthread_mutex_unlock(&net->sink_lock);
    if (revoked) {
        tcp_landing_end(net, landing, false);
    }
    return lost;
}

void tcp_landing_revoke(struct tcp_interface *interface, void *token)
{
    struct tcp_net *net = interface->net;
    bool found = false;

    pthread_mutex_lock(&net->lock);
    /* A running `arrive` may be about to give out this very token. */
    uint64_t arrivals = net->arrivals;
    while (net->arriving == interface && net->arrivals == arrivals && !tcp_progress_is_me(net)) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
    pthread_mutex_lock(&net->sink_lock);
    for (struct tcp_landing *landing = net->landings; landing; landing = landing->next) {
        if (landing->token == token && landing->interface == interface) {
            landing_unlink(net, landing, TCP_LANDING_REVOKED);
            found = true;
            break;
        }
    }
    pthread_mutex_unlock(&net->sink_lock);
    if (found) {
        tcp_net_wake_sweep(net); /* `landed` comes from the progress thread, also when the peer has fallen silent */
    }
    pthread_mutex_unlock(&net->lock);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Landings: where the payload of an arriving message goes, from the moment in which the core has said so in `arrive`
 * until all of it is stored, and how the core takes that back.
 *
 *            arrive                  all stored: landed(complete)
 *    NONE -----------> ACTIVE ------------------------------------> NONE
 *                        |                                           ^
 *                        | revoke (any thread)      settle (progress): landed(not complete)
 *                        v                                           |
 *                      REVOKED --------------------------------------+
 *
 * Revoking never waits for the peer: it waits at most for one `arrive`, which decides at once, and for one piece that
 * is being stored.
 */
#include "ref-impl/nal/shm_net.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

static void landing_link(struct shm_net *net, struct shm_landing *landing)
{
    landing->state = SHM_LANDING_ACTIVE;
    landing->prev = NULL;
    landing->next = net->landings;
    if (landing->next) {
        landing->next->prev = landing;
    }
    net->landings = landing;
}

static void landing_unlink(struct shm_net *net, struct shm_landing *landing, enum shm_landing_state state)
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
static struct shm_interface *arrive_begin(struct shm_net *net, uint32_t number)
{
    pthread_mutex_lock(&net->lock);
    struct shm_interface *interface = net->interfaces[number];
    net->arriving = interface;
    pthread_mutex_unlock(&net->lock);
    return interface;
}

static void arrive_end(struct shm_net *net)
{
    pthread_mutex_lock(&net->lock);
    net->arriving = NULL;
    net->arrivals++;
    pthread_cond_broadcast(&net->quiet);
    pthread_mutex_unlock(&net->lock);
}

bool shm_landing_begin(struct shm_net *net, struct shm_landing *landing, uint32_t interface,
                       const struct wire_portals_header *header, uint64_t payload_octets)
{
    struct shm_interface *to = arrive_begin(net, interface);
    struct nal_sink sink = {NULL, 0, NULL};

    if (!to) {
        return false;
    }
    to->upcalls.arrive(to->core, header, &sink);
    pthread_mutex_lock(&net->sink_lock);
    landing->start = sink.start;
    landing->remaining = sink.length < payload_octets ? sink.length : payload_octets;
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

size_t shm_landing_store(struct shm_net *net, struct shm_landing *landing, const void *octets, size_t len)
{
    size_t stored = 0;

    pthread_mutex_lock(&net->sink_lock);
    if (landing->state == SHM_LANDING_ACTIVE) {
        stored = len < landing->remaining ? len : (size_t)landing->remaining;
        if (stored > 0) {
            memcpy(landing->start, octets, stored);
        }
        landing->start += stored;
        landing->remaining -= stored;
    }
    pthread_mutex_unlock(&net->sink_lock);
    return stored;
}

bool shm_landing_fetch(struct shm_net *net, struct shm_landing *landing, int32_t process, uint64_t *from)
{
    ssize_t got = 0;

    pthread_mutex_lock(&net->sink_lock);
    if (landing->state == SHM_LANDING_ACTIVE && landing->remaining > 0) {
        size_t piece = landing->remaining < SHM_STORE_OCTETS ? (size_t)landing->remaining : SHM_STORE_OCTETS;
        struct iovec here = {landing->start, piece};
        struct iovec there = {(void *)(uintptr_t)*from, piece};

        do {
            got = process_vm_readv(process, &here, 1, &there, 1, 0);
        } while (got < 0 && errno == EINTR);
        if (got > 0) {
            landing->start += got;
            landing->remaining -= (uint64_t)got;
            *from += (uint64_t)got;
        }
    }
    bool good = got > 0 || landing->remaining == 0 || landing->state != SHM_LANDING_ACTIVE;
    pthread_mutex_unlock(&net->sink_lock);
    return good;
}

void shm_landing_end(struct shm_net *net, struct shm_landing *landing, bool complete)
{
    pthread_mutex_lock(&net->sink_lock);
    bool active = landing->state == SHM_LANDING_ACTIVE;
    bool revoked = landing->state == SHM_LANDING_REVOKED;
    if (active) {
        landing_unlink(net, landing, SHM_LANDING_NONE);
    }
    landing->state = SHM_LANDING_NONE;
    landing->remaining = 0;
    pthread_mutex_unlock(&net->sink_lock);
    if ((active || revoked) && landing->token) {
        landing->interface->upcalls.landed(landing->interface->core, landing->token, complete && active);
    }
}

uint64_t shm_landing_settle(struct shm_net *net, struct shm_landing *landing)
{
    uint64_t lost = 0;

    pthread_mutex_lock(&net->sink_lock);
    bool revoked = landing->state == SHM_LANDING_REVOKED;
    if (revoked) {
        lost = landing->remaining;
        landing->remaining = 0;
    }
    pthread_mutex_unlock(&net->sink_lock);
    if (revoked) {
        shm_landing_end(net, landing, false);
    }
    return lost;
}

void shm_landing_revoke(struct shm_interface *interface, void *token)
{
    struct shm_net *net = interface->net;
    bool found = false;

    pthread_mutex_lock(&net->lock);
    /* A running `arrive` may be about to give out this very token. */
    uint64_t arrivals = net->arrivals;
    while (net->arriving == interface && net->arrivals == arrivals && !shm_progress_is_me(net)) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
    pthread_mutex_lock(&net->sink_lock);
    for (struct shm_landing *landing = net->landings; landing; landing = landing->next) {
        if (landing->token == token && landing->interface == interface) {
            landing_unlink(net, landing, SHM_LANDING_REVOKED);
            found = true;
            break;
        }
    }
    pthread_mutex_unlock(&net->sink_lock);
    if (found) {
        shm_net_wake(net); /* `landed` comes from the progress thread, also when the peer has fallen silent */
    }
    pthread_mutex_unlock(&net->lock);
}

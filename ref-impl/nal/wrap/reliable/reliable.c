/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The way into the reliability layer (reliable.h): its beginning and end, and its interfaces.
 *
 *    CLOSED ---open---> OPEN ---close---> CLOSING ---flushed---> TURNING ---> CLOSED
 *
 * An interface that closes closes the network below too, which tells the peers in order (PW-19), and opens it again at
 * once: a peer that sends on is to be acknowledged (PW-36). The rest is in the files that net.h names.
 */
#include "ref-impl/nal/wrap/reliable/reliable.h"

#include "ref-impl/clock.h"
#include "ref-impl/nal/thread.h"
#include "ref-impl/nal/wrap/reliable/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const struct nal_upcalls reliable_upcalls = {
    .arrive = reliable_arrive, .landed = reliable_landed, .sent = reliable_sent, .dropped = reliable_dropped};

enum nal_status reliable_below_open(struct reliable *interface)
{
    struct reliable_net *net = interface->net;
    enum nal_status status = NAL_OK;

    pthread_mutex_lock(&net->open_lock);
    pthread_mutex_lock(&net->lock);
    bool wanted = !interface->below && interface->state != RELIABLE_TURNING;
    bool stopping = net->stopping;
    pthread_mutex_unlock(&net->lock);
    if (stopping) {
        status = NAL_NO_DEVICE;
    } else if (wanted) {
        struct nal *below = NULL;

        status = net->below.open(&interface->config, &reliable_upcalls, interface, &below);
        pthread_mutex_lock(&net->lock);
        interface->below = below;
        pthread_mutex_unlock(&net->lock);
    }
    pthread_mutex_unlock(&net->open_lock);
    return status;
}

static double reliable_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    return nal_distance(((struct reliable *)nal)->below, peer);
}

/* Waits for a change until that time at most. Lock held. */
static void quiet_wait(struct reliable_net *net, uint64_t until_ms)
{
    struct timespec until = clock_deadline(until_ms);

    (void)pthread_cond_timedwait(&net->quiet, &net->lock, &until);
}

/* Tells the core that messages which wait for their rest will not have it. Lock held, and left meanwhile. */
static void landings_fail(struct reliable *interface)
{
    for (struct reliable_peer *peer = interface->peers; peer; peer = peer->next) {
        struct reliable_done done = {NULL, NULL, NULL};

        if (peer->landing.state == RELIABLE_LANDING_WAITING && peer->landing.sink.token) {
            done.token = peer->landing.sink.token;
            peer->landing.sink = (struct nal_sink){NULL, 0, NULL};
            reliable_unlock(interface, &done);
            pthread_mutex_lock(&interface->net->lock);
        }
    }
}

static bool interface_pending(const struct reliable *interface)
{
    const struct reliable_peer *peer = interface->peers;

    while (peer && !peer->first) {
        peer = peer->next;
    }
    return peer != NULL;
}

static bool interface_busy(const struct reliable *interface)
{
    const struct reliable_peer *peer = interface->peers;

    while (peer && !peer->pumping) {
        peer = peer->next;
    }
    return peer != NULL || interface->telling > 0;
}

/* Waits until all is acknowledged, for a bounded time. Lock held, and left meanwhile. */
static void interface_flush(struct reliable *interface)
{
    struct reliable_net *net = interface->net;
    uint64_t begun_ms = clock_now_ms();

    interface->moved_ms = begun_ms;
    while (interface_pending(interface)) {
        uint64_t until_ms = interface->moved_ms + RELIABLE_FLUSH_IDLE_MS;

        if (until_ms > begun_ms + RELIABLE_FLUSH_MS) {
            until_ms = begun_ms + RELIABLE_FLUSH_MS;
        }
        if (clock_now_ms() >= until_ms) {
            return;
        }
        quiet_wait(net, until_ms);
    }
}

/* Gives up what is left, and waits until nobody else is at work for the interface. Lock held, and left meanwhile. */
static void interface_give_up(struct reliable *interface)
{
    struct reliable_net *net = interface->net;
    struct reliable_done done = {NULL, NULL, NULL};

    for (struct reliable_peer *peer = interface->peers; peer; peer = peer->next) {
        if (peer->first) {
            reliable_peer_forget(peer, &done);
        }
    }
    interface->state = RELIABLE_TURNING;
    reliable_unlock(interface, &done);
    pthread_mutex_lock(&net->lock);
    while (interface_busy(interface)) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
}

/* Ends the network below. Lock held, and left meanwhile. */
static void below_close(struct reliable *interface)
{
    struct reliable_net *net = interface->net;
    struct nal *below = interface->below;

    interface->state = RELIABLE_TURNING;
    interface->below = NULL;
    pthread_mutex_unlock(&net->lock);
    if (below) {
        nal_close(below);
    }
    pthread_mutex_lock(&net->lock);
    interface->state = RELIABLE_CLOSED;
}

static void reliable_close(struct nal *nal)
{
    struct reliable *interface = (struct reliable *)nal;
    struct reliable_net *net = interface->net;

    pthread_mutex_lock(&net->lock);
    interface->state = RELIABLE_CLOSING;
    landings_fail(interface);
    interface_flush(interface);
    interface_give_up(interface);
    below_close(interface);
    pthread_mutex_unlock(&net->lock);
    (void)reliable_below_open(interface);
}

static const struct nal_ops reliable_ops = {
    .name = "reliable",
    .send = reliable_send,
    .revoke = reliable_revoke,
    .distance = reliable_distance,
    .close = reliable_close,
};

enum nal_status reliable_net_open(struct reliable_net *net, const struct nal_config *config,
                                  const struct nal_upcalls *upcalls, void *core, struct nal **nal)
{
    if (config->interface >= RELIABLE_INTERFACES) {
        fprintf(stderr, "portals: numbered messages have interfaces 0 to %d, not %u\n", RELIABLE_INTERFACES - 1,
                (unsigned)config->interface);
        return NAL_NO_DEVICE;
    }
    struct reliable *interface = &net->interfaces[config->interface];
    enum nal_status status = reliable_below_open(interface);
    if (status != NAL_OK) {
        return status;
    }
    pthread_mutex_lock(&net->lock);
    bool taken = interface->state != RELIABLE_CLOSED;
    if (!taken) {
        interface->upcalls = *upcalls;
        interface->core = core;
        interface->state = RELIABLE_OPEN;
        *nal = &interface->nal;
    }
    pthread_mutex_unlock(&net->lock);
    if (taken) {
        fprintf(stderr, "portals: interface %u is open already\n", (unsigned)config->interface);
        return NAL_NO_DEVICE;
    }
    reliable_early_tell(interface);
    return NAL_OK;
}

struct reliable_net *reliable_net_new(const struct reliable_below *below, const struct wire_portals_id *self,
                                      uint32_t group_size)
{
    struct reliable_net *net = calloc(1, sizeof *net);
    pthread_condattr_t attributes;

    if (!net) {
        return NULL;
    }
    net->below = *below;
    net->self = *self;
    net->group_size = group_size;
    net->incarnation = reliable_epoch_after(0);
    net->wake_ms = UINT64_MAX;
    for (uint32_t number = 0; number < RELIABLE_INTERFACES; number++) {
        struct reliable *interface = &net->interfaces[number];

        interface->nal.ops = &reliable_ops;
        interface->net = net;
        interface->config = (struct nal_config){number, *self, group_size};
    }
    pthread_mutex_init(&net->lock, NULL);
    pthread_mutex_init(&net->open_lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&net->timer, &attributes);
    pthread_cond_init(&net->quiet, &attributes);
    pthread_condattr_destroy(&attributes);
    if (thread_start(&net->thread, reliable_timer_run, net) != 0) {
        net->stopping = true;
        reliable_net_free(net);
        return NULL;
    }
    return net;
}

/* Gives peers whose acknowledgement was lost the time to ask again. Lock held, and left meanwhile. */
static void net_linger(struct reliable_net *net)
{
    uint64_t end_ms = clock_now_ms() + RELIABLE_FLUSH_IDLE_MS;

    while (net->taken_ms != 0 && clock_now_ms() < net->taken_ms + RELIABLE_LINGER_MS && clock_now_ms() < end_ms) {
        quiet_wait(net, net->taken_ms + RELIABLE_LINGER_MS);
    }
}

void reliable_net_stop(struct reliable_net *net)
{
    pthread_mutex_lock(&net->lock);
    net_linger(net);
    pthread_mutex_unlock(&net->lock);
    pthread_mutex_lock(&net->open_lock); /* whoever opens something has done so, or sees that all is ending */
    pthread_mutex_lock(&net->lock);
    net->stopping = true;
    pthread_cond_signal(&net->timer);
    pthread_mutex_unlock(&net->lock);
    pthread_mutex_unlock(&net->open_lock);
    pthread_join(net->thread, NULL);
    pthread_mutex_lock(&net->lock);
    for (int number = 0; number < RELIABLE_INTERFACES; number++) {
        below_close(&net->interfaces[number]);
    }
    pthread_mutex_unlock(&net->lock);
}

void reliable_net_free(struct reliable_net *net)
{
    for (int number = 0; number < RELIABLE_INTERFACES; number++) {
        struct reliable *interface = &net->interfaces[number];

        while (interface->peers) {
            struct reliable_peer *peer = interface->peers;

            interface->peers = peer->next;
            free(peer);
        }
        free(interface->barriers);
    }
    pthread_cond_destroy(&net->timer);
    pthread_cond_destroy(&net->quiet);
    pthread_mutex_destroy(&net->lock);
    pthread_mutex_destroy(&net->open_lock);
    free(net);
}

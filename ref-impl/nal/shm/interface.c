/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The operations of an interface on the shared memory network (nal.h): sending, revoking, closing; and opening one.
 */
#include "ref-impl/nal/shm/net.h"
#include "ref-impl/nal/shm/shm.h"

#include <stdio.h>
#include <stdlib.h>

/* The peer with this address; NULL: not on this network. */
static struct shm_peer *peer_find(const struct shm_net *net, const struct wire_portals_id *target)
{
    struct shm_peer wanted = {.id = *target};

    if (target->nid != net->self.nid || net->count == 0) {
        return NULL;
    }
    return bsearch(&wanted, net->peers, net->count, sizeof wanted, shm_peer_compare);
}

/* Sends to a peer on this network. NAL_NO_ROUTE: it cannot be reached over it, nothing has been done. */
static enum nal_status peer_send(struct shm_interface *interface, struct shm_peer *peer, struct shm_item *item)
{
    struct shm_lane *lane = &peer->lanes[interface->config.interface];
    struct shm_queue finished = {NULL, NULL};

    pthread_mutex_lock(&interface->net->lock);
    bool usable = interface->state != SHM_INTERFACE_CLOSED && shm_lane_usable(lane);
    if (usable) {
        shm_lane_push(lane, item, &finished);
    }
    pthread_mutex_unlock(&interface->net->lock);
    shm_items_finish(&finished);
    return usable ? NAL_OK : NAL_NO_ROUTE;
}

static enum nal_status interface_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                                      uint64_t length, void *cookie)
{
    struct shm_interface *interface = (struct shm_interface *)nal;
    struct shm_peer *peer = peer_find(interface->net, &header->target);

    if (peer) {
        struct shm_item *item = shm_item_new(header, payload, length);

        if (!item) {
            return NAL_NO_MEMORY;
        }
        item->interface = interface;
        item->cookie = cookie;
        if (peer_send(interface, peer, item) == NAL_OK) {
            return NAL_OK;
        }
        free(item);
    }
    return NAL_NO_ROUTE;
}

static void interface_revoke(struct nal *nal, void *token)
{
    landing_revoke(&((struct shm_interface *)nal)->port, token);
}

/* Hops, counted as tcp counts them: which way a message takes is no business of the application's. */
//= P30-097
//= P30-098
static double interface_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    const struct wire_portals_id *self = &((struct shm_interface *)nal)->net->self;

    if (peer->nid != self->nid) {
        return 2.0;
    }
    return peer->pid == self->pid ? 0.0 : 1.0;
}

static void interface_end(struct nal *nal)
{
    struct shm_interface *interface = (struct shm_interface *)nal;
    struct shm_net *net = interface->net;

    pthread_mutex_lock(&net->lock);
    if (interface->state == SHM_INTERFACE_OPEN) {
        interface->state = SHM_INTERFACE_FLUSHING;
        interface->next_closing = net->closing;
        net->closing = interface;
        shm_net_wake(net);
    }
    while (interface->state != SHM_INTERFACE_CLOSED) {
        pthread_cond_wait(&net->quiet, &net->lock);
    }
    pthread_mutex_unlock(&net->lock);
}

static void interface_close(struct nal *nal)
{
    interface_end(nal);
    free(nal); /* the first member of the interface */
}

static const struct nal_ops shm_ops = {
    .name = "shm",
    .send = interface_send,
    .revoke = interface_revoke,
    .distance = interface_distance,
    .close = interface_close,
    .end = interface_end,
};

//= P30-084
enum nal_status shm_net_open(struct shm_net *net, const struct nal_config *config, const struct nal_upcalls *upcalls,
                             void *core, struct nal **nal)
{
    if (config->interface >= SHM_INTERFACES) {
        fprintf(stderr, "portals: network shm has interfaces 0 to %d, not %u\n", SHM_INTERFACES - 1,
                (unsigned)config->interface);
        return NAL_NO_DEVICE;
    }
    struct shm_interface *interface = calloc(1, sizeof *interface);
    struct arrivals_early early;

    if (!interface) {
        return NAL_NO_MEMORY;
    }
    interface->nal.ops = &shm_ops;
    interface->net = net;
    interface->config = *config;
    interface->port.upcalls = *upcalls;
    interface->port.core = core;
    if (!arrivals_open(&net->arrivals, config->interface, &interface->port, &early)) {
        fprintf(stderr, "portals: network shm: interface %u is open already\n", (unsigned)config->interface);
        free(interface);
        return NAL_NO_DEVICE;
    }
    *nal = &interface->nal;
    arrivals_deliver(&interface->port, &early);
    return NAL_OK;
}

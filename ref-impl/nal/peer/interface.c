/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Opening and ending interfaces of networks to other processes; see interface.h.
 */
#include "ref-impl/nal/peer/interface.h"

#include "ref-impl/clock.h"
#include "ref-impl/nal/peer/queue.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    FLUSH_IDLE_MS = 3000, /* closing gives up queued messages when none of their octets moved for so long */
    FLUSH_MS = 10000,     /* and in any case after this time */
};

static struct lock *lock_of(const struct peer_network *network)
{
    return network->arrivals->network.lock;
}

//= P30-084
enum nal_status peer_interface_open(struct peer_network *network, const struct nal_ops *ops,
                                    const struct nal_config *config, const struct nal_upcalls *upcalls, void *core,
                                    struct nal **nal)
{
    if (config->interface >= network->numbers) {
        fprintf(stderr, "portals: network %s has interfaces 0 to %u, not %u\n", network->name,
                (unsigned)network->numbers - 1, (unsigned)config->interface);
        return NAL_NO_DEVICE;
    }
    struct peer_interface *interface = calloc(1, sizeof *interface);
    struct arrivals_early early;

    if (!interface) {
        return NAL_NO_MEMORY;
    }
    interface->nal.ops = ops;
    interface->network = network;
    interface->config = *config;
    interface->port.upcalls = *upcalls;
    interface->port.core = core;
    if (!arrivals_open(network->arrivals, config->interface, &interface->port, &early)) {
        fprintf(stderr, "portals: network %s: interface %u is open already\n", network->name,
                (unsigned)config->interface);
        free(interface);
        return NAL_NO_DEVICE;
    }
    *nal = &interface->nal;
    arrivals_deliver(&interface->port, &early);
    return NAL_OK;
}

void peer_interface_revoke(struct nal *nal, void *token)
{
    landing_revoke(&((struct peer_interface *)nal)->port, token);
}

/* Hops as far as they are known: none to oneself, one inside the node, two to another node. */
//= P30-097
//= P30-098
double peer_interface_distance(struct nal *nal, const struct wire_portals_id *peer)
{
    const struct wire_portals_id *self = &((struct peer_interface *)nal)->config.self;

    if (peer->nid != self->nid) {
        return 2.0;
    }
    return peer->pid == self->pid ? 0.0 : 1.0;
}

bool peer_interface_take(struct nal *nal)
{
    return drive_take(((struct peer_interface *)nal)->network->drive);
}

bool peer_interface_claim(struct nal *nal)
{
    struct drive *drive = ((struct peer_interface *)nal)->network->drive;

    if (!drive_claim_begin(drive)) {
        return false;
    }
    nal_drive_wake(nal);
    return drive_claim_end(drive);
}

void peer_interface_rely(struct nal *nal)
{
    drive_rely(((struct peer_interface *)nal)->network->drive);
}

void peer_interface_give(struct nal *nal)
{
    drive_give(((struct peer_interface *)nal)->network->drive);
}

void peer_interface_end(struct nal *nal)
{
    struct peer_interface *interface = (struct peer_interface *)nal;
    struct peer_network *network = interface->network;
    const struct arrivals_network *lent = &network->arrivals->network;

    lock_take(lent->lock);
    if (interface->state == PEER_INTERFACE_OPEN) {
        interface->state = PEER_INTERFACE_FLUSHING;
        interface->next_closing = network->closing;
        network->closing = interface;
        lent->wake_all(lent->net);
    }
    while (interface->state != PEER_INTERFACE_CLOSED) {
        lock_wait(lent->lock, lent->quiet);
    }
    lock_give(lent->lock);
}

void peer_interface_close(struct nal *nal)
{
    peer_interface_end(nal);
    free(nal); /* the first member of the interface */
}

/* The first step of closing. */
static void interface_retire(struct peer_interface *interface)
{
    struct peer_network *network = interface->network;
    struct peer_queue finished = {NULL, NULL};

    interface->retired = true;
    lock_take(lock_of(network));
    arrivals_shut(network->arrivals, interface->config.interface);
    if (network->withdraw) {
        network->withdraw(interface, &finished);
    }
    interface->begun_ms = interface->moved_ms = clock_now_ms();
    interface->moved = false;
    lock_give(lock_of(network));
    peer_items_finish(&finished);
    network->land(interface);
}

/* Whether the closing of this interface is over. */
static bool interface_advance(struct peer_interface *interface)
{
    struct peer_network *network = interface->network;
    struct peer_queue finished = {NULL, NULL};
    uint64_t now = clock_now_ms();

    if (!interface->retired) {
        interface_retire(interface);
    }
    lock_take(lock_of(network));
    bool over = !network->pending(interface);
    if (interface->moved) {
        interface->moved = false;
        interface->moved_ms = now;
    }
    if (!over && (now - interface->moved_ms >= FLUSH_IDLE_MS || now - interface->begun_ms >= FLUSH_MS)) {
        network->give_up(interface, &finished);
        over = true;
    }
    if (over && network->shut) {
        network->shut(interface);
    }
    lock_give(lock_of(network));
    peer_items_finish(&finished);
    return over;
}

/* Takes an interface out of the list of those that are closing; from here on it is the ending thread's to free. Lock
 * held. */
static void interface_release(struct peer_interface *interface)
{
    struct peer_network *network = interface->network;
    struct peer_interface **link = &network->closing;

    while (*link != interface) {
        link = &(*link)->next_closing;
    }
    *link = interface->next_closing;
    interface->state = PEER_INTERFACE_CLOSED;
    pthread_cond_broadcast(network->arrivals->network.quiet);
}

void peer_closing_advance(struct peer_network *network)
{
    lock_take(lock_of(network));
    struct peer_interface *interface = network->closing;
    lock_give(lock_of(network));

    while (interface) {
        bool over = interface_advance(interface);

        lock_take(lock_of(network));
        struct peer_interface *next = interface->next_closing;
        if (over) {
            interface_release(interface);
        }
        lock_give(lock_of(network));
        interface = next;
    }
}

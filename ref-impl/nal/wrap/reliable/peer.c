/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Peers of the reliability layer: what is known about the process at the other end.
 *
 *                 greeted                 says 1.1
 *    UNKNOWN -----------------> GREETING -----------> NUMBERED
 *     ^  ^  ^                      |  |                  |
 *     |  |  +---- lost, refused ---+  | says 1.0         |
 *     |  +----------- lost ------- PLAIN                 |
 *     +------------------- lost, refused ----------------+
 *
 * A peer that is lost while messages wait for its acknowledgement is greeted again, by the timer; one that refuses, or
 * that was never known to number, is given up.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/wrap/reliable/net.h"
#include "ref-impl/nal/wrap/reliable/reliable.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

uint64_t reliable_epoch_after(uint64_t before)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t epoch = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return epoch > before || before == UINT64_MAX ? epoch : before + 1; /* 0 would be none */
}

static struct reliable_peer **chain_of(struct reliable *interface, const struct wire_portals_id *id)
{
    return &interface->chains[(id->nid * 31 + id->pid) % RELIABLE_CHAINS];
}

struct reliable_peer *reliable_peer_known(struct reliable *interface, const struct wire_portals_id *id)
{
    struct reliable_peer *peer = *chain_of(interface, id);

    while (peer && (peer->id.nid != id->nid || peer->id.pid != id->pid)) {
        peer = peer->chain;
    }
    return peer;
}

/* Whether nothing has to be kept of a peer: it is gone, has sent nothing with a number, and nobody works for it. */
static bool peer_forgettable(const struct reliable_peer *peer)
{
    return peer->contact == RELIABLE_UNKNOWN && peer->in_epoch == 0 && !peer->first && peer->below == 0 &&
           !peer->pumping && peer->users == 0;
}

/* A place for a peer of that chain, in the lists: a new one, or that of a peer which is forgotten. */
static struct reliable_peer *peer_place(struct reliable *interface, struct reliable_peer **chain)
{
    struct reliable_peer *peer = *chain;

    while (peer && !peer_forgettable(peer)) {
        peer = peer->chain;
    }
    if (peer) {
        *peer = (struct reliable_peer){.chain = peer->chain, .next = peer->next};
    } else if ((peer = calloc(1, sizeof *peer)) != NULL) {
        peer->chain = *chain;
        *chain = peer;
        peer->next = interface->peers;
        interface->peers = peer;
    }
    return peer;
}

struct reliable_peer *reliable_peer_find(struct reliable *interface, const struct wire_portals_id *id)
{
    struct reliable_peer *peer = reliable_peer_known(interface, id);

    if (!peer && (peer = peer_place(interface, chain_of(interface, id))) != NULL) {
        peer->interface = interface;
        peer->id = *id;
        peer->again_ms = RELIABLE_AGAIN_MS;
        peer->expected = 1;
        peer->landing.peer = peer;
    }
    return peer;
}

bool reliable_peer_admit(struct reliable_peer *peer, const struct wire_portals_id *id)
{
    struct reliable *interface = peer->interface;
    const struct reliable_net *net = interface->net;
    bool member = id->gid == net->self.gid;
    uint32_t *count = member ? &interface->members : &interface->others;
    uint64_t most = (member ? (uint64_t)net->group_size : 0) + RELIABLE_COUNTED;

    if (peer->in_epoch != 0) {
        return true;
    }
    if (*count < most) {
        ++*count;
        return true;
    }
    if (!interface->full) {
        interface->full = true;
        fprintf(stderr,
                "portals: interface %u: numbered messages of more than %llu processes %s; those of further ones are "
                "not taken\n",
                (unsigned)interface->config.interface, (unsigned long long)most,
                member ? "that say they are of this job" : "of other jobs");
    }
    return false;
}

void reliable_peer_due(struct reliable_peer *peer, uint64_t in_ms)
{
    struct reliable_net *net = peer->interface->net;

    peer->due_ms = clock_now_ms() + in_ms;
    if (peer->due_ms < net->wake_ms) {
        net->wake_ms = peer->due_ms;
        pthread_cond_signal(&net->timer);
    }
}

void reliable_peer_forget(struct reliable_peer *peer, struct reliable_done *done)
{
    while (peer->first) {
        struct reliable_message *message = peer->first;

        peer->first = message->next;
        reliable_done_add(done, message, false);
    }
    peer->last = peer->cursor = NULL;
    peer->epoch = 0;
    peer->incarnation = 0;
    peer->served = false;
    peer->again_ms = RELIABLE_AGAIN_MS;
    peer->due_ms = 0;
    pthread_cond_broadcast(&peer->interface->net->quiet);
}

void reliable_peer_give_up(struct reliable_peer *peer, struct reliable_done *done)
{
    reliable_peer_forget(peer, done);
    if (peer->landing.state == RELIABLE_LANDING_WAITING) {
        done->token = reliable_landing_fail(&peer->landing);
    }
}

enum nal_status reliable_peer_greet(struct reliable_peer *peer)
{
    struct reliable_net *net = peer->interface->net;
    struct wire_portals_id id = peer->id;

    peer->contact = RELIABLE_GREETING;
    peer->users++;
    pthread_mutex_unlock(&net->lock);
    enum nal_status status = net->below.greet(peer->interface->config.interface, &id);
    pthread_mutex_lock(&net->lock);
    peer->users--;
    if (status != NAL_OK && peer->contact == RELIABLE_GREETING) {
        peer->contact = RELIABLE_UNKNOWN;
    }
    return status;
}

/* No connection to the peer is left, or one of two. What it has not acknowledged is sent again when it has been greeted
 * again; when all is acknowledged, a new counting serves whoever will be there next. */
static void peer_lost(struct reliable_peer *peer, struct reliable_done *done)
{
    bool plain = peer->contact == RELIABLE_PLAIN;

    peer->contact = RELIABLE_UNKNOWN;
    if (!peer->served) {
        if (!plain) {
            reliable_peer_forget(peer, done);
        }
    } else if (peer->first) {
        reliable_peer_again(peer);
    } else {
        peer->epoch = 0;
        peer->incarnation = 0;
    }
    if (peer->first || peer->landing.state == RELIABLE_LANDING_WAITING) {
        reliable_peer_due(peer, RELIABLE_AGAIN_MS);
    }
}

static void peer_changed(struct reliable_peer *peer, enum network_peer_state state, struct reliable_done *done)
{
    switch (state) {
    case NETWORK_PEER_PLAIN:
        if (peer->served) {
            reliable_peer_give_up(peer, done); /* another process, of an older version, has its address */
        }
        peer->contact = RELIABLE_PLAIN;
        break;
    case NETWORK_PEER_NUMBERED:
        if (peer->contact != RELIABLE_NUMBERED) {
            peer->contact = RELIABLE_NUMBERED;
            if (!peer->served && peer->epoch != 0) {
                reliable_peer_renumber(peer, peer->last_epoch); /* what it got without numbers has taken some */
            }
            peer->served = true;
            reliable_peer_again(peer);
        }
        break;
    case NETWORK_PEER_LOST:
        peer_lost(peer, done);
        break;
    case NETWORK_PEER_REFUSED:
        reliable_peer_give_up(peer, done);
        peer->contact = RELIABLE_UNKNOWN;
        break;
    }
    reliable_peer_pump(peer, done);
}

void reliable_net_peer(void *watcher, uint32_t number, const struct wire_portals_id *id, enum network_peer_state state)
{
    struct reliable_net *net = watcher;
    struct reliable_done done = {NULL, NULL, NULL};

    if (number >= RELIABLE_INTERFACES) {
        return; /* no process can ever open it */
    }
    struct reliable *interface = &net->interfaces[number];
    if (state == NETWORK_PEER_NUMBERED) {
        (void)reliable_below_open(interface); /* the peer is acknowledged also while the interface is closed (PW-36) */
    }
    pthread_mutex_lock(&net->lock);
    bool up = state == NETWORK_PEER_PLAIN || state == NETWORK_PEER_NUMBERED;
    struct reliable_peer *peer = up ? reliable_peer_find(interface, id) : reliable_peer_known(interface, id);
    if (peer) {
        peer_changed(peer, state, &done);
    }
    reliable_unlock(interface, &done);
}

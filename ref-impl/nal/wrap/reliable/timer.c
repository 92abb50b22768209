/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The thread that looks after what has waited too long: sends again, greets peers that were lost, and gives up those
 * that are dead. It sleeps while nothing waits.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/wrap/reliable/net.h"

#include <errno.h>
#include <time.h>

/* Looks for a peer that was lost. */
static void peer_seek(struct reliable_peer *peer, struct reliable_done *done)
{
    if (reliable_peer_greet(peer) == NAL_NO_ROUTE) {
        reliable_peer_give_up(peer, done);
    }
}

/* Doubles the time until all is sent the next time, and sends all. */
static void peer_send_again(struct reliable_peer *peer, struct reliable_done *done)
{
    peer->again_ms = peer->again_ms * 2 < RELIABLE_AGAIN_MAX_MS ? peer->again_ms * 2 : RELIABLE_AGAIN_MAX_MS;
    reliable_peer_again(peer);
    reliable_peer_pump(peer, done);
}

/* Does what is due for a peer. Lock held, and left meanwhile. */
static void peer_look(struct reliable_peer *peer, struct reliable_done *done)
{
    uint64_t now = clock_now_ms();

    peer->due_ms = 0;
    if (peer->landing.state == RELIABLE_LANDING_WAITING && now >= peer->landing.give_up_ms) {
        done->token = reliable_landing_fail(&peer->landing);
    }
    if (peer->below > 0) {
        peer->heard_ms = now; /* the network below has not even taken it all: that is no silence of the peer's */
    } else if (peer->first && peer->contact != RELIABLE_GREETING && now - peer->heard_ms >= RELIABLE_DEAD_MS) {
        reliable_peer_give_up(peer, done);
    }
    if (!peer->first && peer->landing.state != RELIABLE_LANDING_WAITING) {
        return;
    }
    if (peer->contact == RELIABLE_UNKNOWN) {
        peer_seek(peer, done);
    } else if (peer->contact == RELIABLE_NUMBERED && peer->first && peer->below == 0) {
        peer_send_again(peer, done);
    }
    if (peer->first || peer->landing.state == RELIABLE_LANDING_WAITING) {
        reliable_peer_due(peer, peer->first ? peer->again_ms : RELIABLE_AGAIN_MAX_MS);
    }
}

/* Looks at the peers of an interface; says when the next one is due. Lock held, and left meanwhile. Places come to the
 * beginning of the list only, and none goes. */
static uint64_t interface_look(struct reliable *interface)
{
    struct reliable_net *net = interface->net;
    uint64_t next_ms = UINT64_MAX;
    struct reliable_done done = {NULL, NULL, NULL};

    for (struct reliable_peer *peer = interface->peers; peer && interface->state != RELIABLE_TURNING;
         peer = peer->next) {
        if (peer->due_ms != 0 && peer->due_ms <= clock_now_ms()) {
            interface->telling++; /* no closing ends before this thread has let go */
            peer_look(peer, &done);
            reliable_unlock(interface, &done);
            pthread_mutex_lock(&net->lock);
            interface->telling--;
            pthread_cond_broadcast(&net->quiet);
        }
        if (peer->due_ms != 0 && peer->due_ms < next_ms) {
            next_ms = peer->due_ms;
        }
    }
    return next_ms;
}

void *reliable_timer_run(void *argument)
{
    struct reliable_net *net = argument;

    pthread_mutex_lock(&net->lock);
    while (!net->stopping) {
        uint64_t next_ms = UINT64_MAX;

        net->wake_ms = UINT64_MAX; /* who has something due from now on says so here */
        for (int number = 0; number < RELIABLE_INTERFACES; number++) {
            uint64_t due_ms = interface_look(&net->interfaces[number]);
            next_ms = due_ms < next_ms ? due_ms : next_ms;
        }
        if (next_ms < net->wake_ms) {
            net->wake_ms = next_ms;
        }
        while (!net->stopping && net->wake_ms > clock_now_ms()) {
            struct timespec due = clock_deadline(net->wake_ms);

            if (net->wake_ms == UINT64_MAX) {
                pthread_cond_wait(&net->timer, &net->lock);
            } else {
                (void)pthread_cond_timedwait(&net->timer, &net->lock, &due);
            }
        }
    }
    pthread_mutex_unlock(&net->lock);
    return NULL;
}

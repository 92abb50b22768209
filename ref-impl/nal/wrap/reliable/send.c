/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The sending half of the reliability layer. What the core sends to a peer stands in one list, in order, until it is
 * acknowledged:
 *
 *      first                    cursor                last
 *        |                        |                     |
 *        v                        v                     v
 *      [ 7 ] -> [ 8 ] -> [ 9 ] -> [ 10 ] -> [ 11 ] -> [ 12 ]
 *        sent, not acknowledged     not sent, or to be sent again
 *
 * Sending again means to set the cursor back to the first one. A message is never with the network below twice, so its
 * memory is free when it is acknowledged and the network below has let go of it.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/wrap/reliable/net.h"

#include <stdlib.h>

void reliable_done_add(struct reliable_done *done, struct reliable_message *message, bool complete)
{
    message->complete = complete;
    if (message->below) {
        message->over = true;
        return;
    }
    message->next = NULL;
    if (done->last) {
        done->last->next = message;
    } else {
        done->first = message;
    }
    done->last = message;
}

void reliable_unlock(struct reliable *interface, struct reliable_done *done)
{
    struct reliable_net *net = interface->net;

    if (!done->first && !done->token) {
        pthread_mutex_unlock(&net->lock);
        return;
    }
    interface->telling++;
    pthread_mutex_unlock(&net->lock);
    if (done->token) {
        interface->upcalls.landed(interface->core, done->token, false);
    }
    while (done->first) {
        struct reliable_message *message = done->first;

        done->first = message->next;
        if (message->cookie) {
            interface->upcalls.sent(interface->core, message->cookie, message->complete);
        }
        free(message);
    }
    *done = (struct reliable_done){NULL, NULL, NULL};
    pthread_mutex_lock(&net->lock);
    interface->telling--;
    pthread_cond_broadcast(&net->quiet);
    pthread_mutex_unlock(&net->lock);
}

void reliable_peer_again(struct reliable_peer *peer)
{
    peer->cursor = peer->first;
}

/* The message whose turn it is, or NULL when the peer, the window or the network below does not allow any. */
static struct reliable_message *next_to_send(const struct reliable_peer *peer)
{
    struct reliable_message *message = peer->cursor;

    if (!message || message->below || !peer->interface->below) {
        return NULL;
    }
    if (peer->contact == RELIABLE_PLAIN) {
        return message;
    }
    bool room = message->header.number - peer->first->header.number < RELIABLE_WINDOW;
    return peer->contact == RELIABLE_NUMBERED && room ? message : NULL;
}

/* Takes the first message out of the list for a peer that acknowledges nothing. */
static void plain_take(struct reliable_peer *peer)
{
    struct reliable_message *message = peer->first;

    peer->first = message->next;
    if (!peer->first) {
        peer->last = NULL;
    }
    message->header.epoch = message->header.number = 0;
}

/* The network below has not taken the message, for want of memory or because the peer was lost meanwhile. */
static void message_refused(struct reliable_peer *peer, struct reliable_message *message, struct reliable_done *done)
{
    message->below = false;
    peer->below--;
    if (message->header.number == 0) {
        reliable_done_add(done, message, false);
    } else if (message->over) {
        reliable_done_add(done, message, message->complete);
    } else {
        if (peer->contact == RELIABLE_NUMBERED) {
            peer->contact = RELIABLE_UNKNOWN;
        }
        reliable_peer_again(peer);
        reliable_peer_due(peer, peer->again_ms);
    }
}

void reliable_peer_pump(struct reliable_peer *peer, struct reliable_done *done)
{
    struct reliable_net *net = peer->interface->net;
    struct reliable_message *message = NULL;

    if (peer->pumping) {
        return;
    }
    peer->pumping = true;
    while ((message = next_to_send(peer)) != NULL) {
        struct nal *below = peer->interface->below;

        message->below = true;
        peer->below++;
        peer->cursor = message->next;
        if (peer->contact == RELIABLE_PLAIN) {
            plain_take(peer);
        } else if (message->header.number > peer->sent_number) {
            peer->sent_number = message->header.number;
        }
        struct wire_portals_header header = message->header;
        pthread_mutex_unlock(&net->lock);
        enum nal_status status = nal_send(below, &header, message->payload, message->length, message);
        pthread_mutex_lock(&net->lock);
        if (status != NAL_OK) {
            message_refused(peer, message, done);
        }
    }
    peer->pumping = false;
    pthread_cond_broadcast(&net->quiet);
}

void reliable_sent(void *argument, void *cookie, bool complete)
{
    struct reliable *interface = argument;
    struct reliable_message *message = cookie;
    struct reliable_peer *peer = message->peer;
    struct reliable_done done = {NULL, NULL, NULL};

    pthread_mutex_lock(&interface->net->lock);
    message->below = false;
    if (message->header.number == 0) {
        reliable_done_add(&done, message, complete);
    } else if (message->over) {
        reliable_done_add(&done, message, message->complete);
    } else if (!complete) {
        reliable_peer_again(peer);
    }
    if (peer) {
        peer->below--;
        if (peer->first && peer->contact == RELIABLE_NUMBERED) {
            reliable_peer_due(peer, peer->again_ms);
        }
        reliable_peer_pump(peer, &done);
    }
    reliable_unlock(interface, &done);
}

/* Puts a message at the end of the peer's list and gives it its number. */
static void message_queue(struct reliable_peer *peer, struct reliable_message *message)
{
    if (peer->epoch == 0) {
        peer->epoch = peer->last_epoch = reliable_epoch_after(peer->last_epoch);
        peer->next_number = 1;
        peer->sent_number = 0;
    }
    message->header.epoch = peer->epoch;
    message->header.number = peer->next_number++;
    if (peer->last) {
        peer->last->next = message;
    } else {
        peer->first = message;
        peer->heard_ms = clock_now_ms();
    }
    peer->last = message;
    if (!peer->cursor) {
        peer->cursor = message;
    }
    if (peer->contact == RELIABLE_UNKNOWN) {
        reliable_peer_due(peer, 0); /* it was lost just now: the timer greets it again */
    }
}

static enum nal_status message_send(struct reliable *interface, struct reliable_message *message)
{
    struct reliable_done done = {NULL, NULL, NULL};
    enum nal_status status = NAL_OK;

    pthread_mutex_lock(&interface->net->lock);
    struct reliable_peer *peer = reliable_peer_find(interface, &message->header.target);
    if (!peer) {
        status = NAL_NO_MEMORY;
    } else if (peer->contact == RELIABLE_UNKNOWN && !peer->first) {
        status = reliable_peer_greet(peer); /* an address that leads nowhere is refused at once */
    }
    if (status == NAL_OK) {
        message->peer = peer;
        message_queue(peer, message);
        reliable_peer_pump(peer, &done);
    }
    reliable_unlock(interface, &done);
    return status;
}

enum nal_status reliable_send(struct nal *nal, const struct wire_portals_header *header, const void *payload,
                              uint64_t length, void *cookie)
{
    struct reliable *interface = (struct reliable *)nal;
    const struct wire_portals_id *self = &interface->net->self;
    struct reliable_message *message = calloc(1, sizeof *message);
    enum nal_status status = NAL_OK;

    if (!message) {
        return NAL_NO_MEMORY;
    }
    message->interface = interface;
    message->header = *header;
    message->header.epoch = message->header.number = 0;
    message->payload = payload;
    message->length = length;
    message->cookie = cookie;
    if (header->target.nid == self->nid && header->target.pid == self->pid) {
        status = nal_send(interface->below, header, payload, length, message);
    } else {
        status = message_send(interface, message);
    }
    if (status != NAL_OK) {
        free(message);
    }
    return status;
}

/* All messages that wait get new numbers, in a new epoch. */
void reliable_peer_renumber(struct reliable_peer *peer, uint64_t beyond)
{
    peer->epoch = peer->last_epoch = reliable_epoch_after(beyond);
    peer->next_number = 1;
    peer->sent_number = 0;
    for (struct reliable_message *message = peer->first; message; message = message->next) {
        message->header.epoch = peer->epoch;
        message->header.number = peer->next_number++;
    }
    reliable_peer_again(peer);
}

/* Takes out of the list what is acknowledged. */
static void peer_acknowledged(struct reliable_peer *peer, uint64_t acknowledged, struct reliable_done *done)
{
    struct reliable *interface = peer->interface;
    bool moved = false;

    if (peer->cursor && peer->cursor->header.number <= acknowledged) {
        peer->cursor = NULL;
    }
    bool behind = !peer->cursor;
    while (peer->first && peer->first->header.number <= acknowledged) {
        struct reliable_message *message = peer->first;

        peer->first = message->next;
        reliable_done_add(done, message, true);
        moved = true;
    }
    if (!peer->first) {
        peer->last = NULL;
    }
    if (behind) {
        /* Everything up to sent_number has been sent once; what comes behind it has not. */
        struct reliable_message *message = peer->first;
        while (message && message->header.number <= peer->sent_number) {
            message = message->next;
        }
        peer->cursor = message;
    }
    if (moved) {
        peer->heard_ms = interface->moved_ms = clock_now_ms();
        peer->again_ms = RELIABLE_AGAIN_MS;
        peer->due_ms = 0;
        if (peer->first) {
            reliable_peer_due(peer, peer->again_ms);
        }
        pthread_cond_broadcast(&interface->net->quiet);
    }
}

void reliable_acknowledged(struct reliable *interface, const struct wire_portals_header *header)
{
    struct reliable_done done = {NULL, NULL, NULL};

    pthread_mutex_lock(&interface->net->lock);
    struct reliable_peer *peer = reliable_peer_known(interface, &header->initiator);
    if (!peer || peer->epoch == 0 || header->incarnation < peer->incarnation) {
        reliable_unlock(interface, &done);
        return;
    }
    if (header->incarnation > peer->incarnation) {
        bool another = peer->incarnation != 0;

        if (another) {
            reliable_peer_give_up(peer, &done); /* the process that all this was sent to is gone */
            peer->served = true;
        }
        peer->incarnation = header->incarnation;
    }
    if (header->epoch > peer->epoch && peer->epoch != 0 && header->epoch != UINT64_MAX) {
        reliable_peer_renumber(peer, header->epoch);
    } else if (header->epoch == peer->epoch && header->acknowledged <= peer->sent_number) {
        peer_acknowledged(peer, header->acknowledged, &done);
        if (header->missing != 0 && peer->below == 0 && peer->first &&
            peer->first->header.number == header->acknowledged + 1) {
            reliable_peer_again(peer);
        }
    }
    reliable_peer_pump(peer, &done);
    reliable_unlock(interface, &done);
}

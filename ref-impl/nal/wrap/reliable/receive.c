/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The receiving half of the reliability layer: decides about each numbered message by epoch and number, as the table of
 * specs/portals-wire.md, 4.7, says, and acknowledges. The message whose turn it is is given to the core before its
 * payload has arrived, as everywhere; if the connection breaks inside it, the core does not hear of it:
 *
 *             its turn              all there
 *    NONE -------------> ACTIVE -----------------> NONE    acknowledged, the next one's turn
 *                         |  ^
 *            connection broke |  | comes again: stored where it was begun
 *                         v  |
 *                        WAITING ----------------> NONE    the peer is dead: the core is told that it failed
 *
 * What comes too early is thrown away: it will come again, and nothing has to be kept for a peer that sends much.
 */
#include "ref-impl/clock.h"
#include "ref-impl/nal/wrap/reliable/net.h"

#include <stdlib.h>

/* Tells a peer what has come of the epoch that is known of it. No lock held. */
static void acknowledge(struct nal *below, const struct wire_portals_header *header)
{
    (void)nal_send(below, header, NULL, 0, NULL); /* if it is lost, the peer asks by sending again */
}

/* The acknowledgement to be sent to the peer now. Lock held. */
static struct wire_portals_header acknowledgement(const struct reliable_peer *peer, bool missing)
{
    const struct reliable_net *net = peer->interface->net;

    return (struct wire_portals_header){.operation = WIRE_PORTALS_ACKNOWLEDGE,
                                        .initiator = net->self,
                                        .target = peer->id,
                                        .incarnation = net->incarnation,
                                        .epoch = peer->in_epoch,
                                        .acknowledged = peer->expected - 1,
                                        .missing = missing};
}

void *reliable_landing_fail(struct reliable_landing *landing)
{
    void *token = landing->sink.token;

    landing->sink = (struct nal_sink){NULL, 0, NULL};
    landing->state = RELIABLE_LANDING_NONE;
    return token;
}

/* What comes while the interface is closed is counted, or kept (PW-17). Lock held. */
static void early_keep(struct reliable *interface, const struct wire_portals_header *header)
{
    if (header->operation != WIRE_PORTALS_BARRIER || header->round >= RELIABLE_ROUNDS) {
        interface->drops++;
        return;
    }
    if (!interface->barriers) {
        interface->barriers = calloc(RELIABLE_ROUNDS, sizeof *interface->barriers);
    }
    if (interface->barriers) {
        interface->barriers[header->round] = *header;
    }
}

void reliable_early_tell(struct reliable *interface)
{
    pthread_mutex_lock(&interface->net->lock);
    struct wire_portals_header *barriers = interface->barriers;
    uint64_t drops = interface->drops;
    interface->barriers = NULL;
    interface->drops = 0;
    pthread_mutex_unlock(&interface->net->lock);
    for (uint32_t round = 0; barriers && round < RELIABLE_ROUNDS; round++) {
        struct nal_sink sink = {NULL, 0, NULL};

        if (barriers[round].operation == WIRE_PORTALS_BARRIER) {
            interface->upcalls.arrive(interface->core, &barriers[round], &sink);
        }
    }
    for (; drops > 0; drops--) {
        interface->upcalls.dropped(interface->core);
    }
    free(barriers);
}

/* Gives a message to the core, or keeps what is to be kept of it. */
static void arrive_now(struct reliable *interface, const struct wire_portals_header *header, struct nal_sink *sink)
{
    pthread_mutex_lock(&interface->net->lock);
    bool open = interface->state == RELIABLE_OPEN;
    if (!open) {
        early_keep(interface, header);
    }
    pthread_mutex_unlock(&interface->net->lock);
    if (open) {
        interface->upcalls.arrive(interface->core, header, sink);
    }
}

enum verdict {
    TAKE,     /* its turn */
    RESUME,   /* its turn, and it was begun before */
    TELL,     /* not taken; the peer is told what has come */
    TELL_GAP, /* not taken; the peer is told that one is missing */
    IGNORE,   /* not taken; it will come again */
};

/* Decides about a numbered message, and books what is taken. Lock held. */
static enum verdict message_judge(struct reliable_peer *peer, const struct wire_portals_header *header,
                                  struct reliable_done *done)
{
    struct reliable_landing *landing = &peer->landing;

    if (header->epoch > peer->in_epoch) {
        if (landing->state == RELIABLE_LANDING_ACTIVE || landing->revoking) {
            return IGNORE;
        }
        done->token = reliable_landing_fail(landing);
        peer->in_epoch = header->epoch;
        peer->expected = 1;
        peer->gap = false;
    }
    if (header->epoch < peer->in_epoch || header->number < peer->expected) {
        return TELL;
    }
    if (header->number > peer->expected) {
        bool told = peer->gap;

        peer->gap = true;
        return told ? IGNORE : TELL_GAP;
    }
    if (landing->state == RELIABLE_LANDING_ACTIVE || landing->revoking) {
        return IGNORE;
    }
    bool begun = landing->state == RELIABLE_LANDING_WAITING;
    peer->gap = false;
    landing->state = RELIABLE_LANDING_ACTIVE;
    landing->revoked = false;
    landing->epoch = header->epoch;
    landing->number = header->number;
    landing->next = peer->interface->landings;
    peer->interface->landings = landing;
    return begun ? RESUME : TAKE;
}

/* A numbered message. */
static void numbered_arrive(struct reliable *interface, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct reliable_net *net = interface->net;
    struct reliable_done done = {NULL, NULL, NULL};
    struct nal_sink given = {NULL, 0, NULL};

    pthread_mutex_lock(&net->lock);
    struct nal *below = interface->below;
    struct reliable_peer *peer = below ? reliable_peer_find(interface, &header->initiator) : NULL;
    if (!peer || !reliable_peer_admit(peer, &header->initiator)) {
        pthread_mutex_unlock(&net->lock); /* opened just now, or no room: it will come again */
        return;
    }
    peer->id = header->initiator; /* with its group and rank */
    net->taken_ms = clock_now_ms();
    enum verdict verdict = message_judge(peer, header, &done);
    struct wire_portals_header answer = acknowledgement(peer, verdict == TELL_GAP);
    given = peer->landing.sink;
    reliable_unlock(interface, &done);
    if (verdict == TELL || verdict == TELL_GAP) {
        acknowledge(below, &answer);
    }
    if (verdict != TAKE && verdict != RESUME) {
        return;
    }
    if (verdict == TAKE) {
        given = (struct nal_sink){NULL, 0, NULL};
        arrive_now(interface, header, &given);
        pthread_mutex_lock(&net->lock);
        peer->landing.sink = given;
        pthread_mutex_unlock(&net->lock);
    }
    *sink = (struct nal_sink){given.start, given.start ? given.length : 0, &peer->landing};
}

void reliable_arrive(void *argument, const struct wire_portals_header *header, struct nal_sink *sink)
{
    struct reliable *interface = argument;

    if (header->operation == WIRE_PORTALS_ACKNOWLEDGE) {
        reliable_acknowledged(interface, header);
    } else if (header->number != 0) {
        numbered_arrive(interface, header, sink);
    } else {
        arrive_now(interface, header, sink);
    }
}

/* The active landing with that address; taken out of the list. NULL: a token of the core's. Lock held. */
static struct reliable_landing *landing_take(struct reliable *interface, const void *token)
{
    struct reliable_landing **link = &interface->landings;

    while (*link && *link != token) {
        link = &(*link)->next;
    }
    struct reliable_landing *landing = *link;
    if (landing) {
        *link = landing->next;
    }
    return landing;
}

/* The payload of a numbered message is cut off, or all there. Lock held, and left. */
static void numbered_landed(struct reliable_landing *landing, bool complete)
{
    struct reliable_peer *peer = landing->peer;
    struct reliable *interface = peer->interface;
    void *token = landing->sink.token;
    bool taken = complete || landing->revoked;

    if (!taken && interface->state == RELIABLE_OPEN) {
        token = NULL; /* the core need not know: the rest will come */
    } else {
        landing->sink = (struct nal_sink){NULL, 0, NULL};
    }
    if (taken) {
        landing->state = RELIABLE_LANDING_NONE;
        peer->expected += landing->epoch == peer->in_epoch;
    } else {
        landing->state = RELIABLE_LANDING_WAITING;
        landing->give_up_ms = clock_now_ms() + RELIABLE_RESUME_MS;
        reliable_peer_due(peer, RELIABLE_AGAIN_MS);
    }
    complete = complete && !landing->revoked;
    struct wire_portals_header answer = acknowledgement(peer, false);
    struct nal *below = interface->below;
    pthread_mutex_unlock(&interface->net->lock);
    if (token) {
        interface->upcalls.landed(interface->core, token, complete);
    }
    if (taken && below) {
        acknowledge(below, &answer);
    }
}

void reliable_landed(void *argument, void *token, bool complete)
{
    struct reliable *interface = argument;

    pthread_mutex_lock(&interface->net->lock);
    struct reliable_landing *landing = landing_take(interface, token);
    if (landing) {
        numbered_landed(landing, complete);
        return;
    }
    pthread_mutex_unlock(&interface->net->lock);
    interface->upcalls.landed(interface->core, token, complete);
}

void reliable_dropped(void *argument)
{
    struct reliable *interface = argument;

    pthread_mutex_lock(&interface->net->lock);
    bool open = interface->state == RELIABLE_OPEN;
    interface->drops += !open;
    pthread_mutex_unlock(&interface->net->lock);
    if (open) {
        interface->upcalls.dropped(interface->core);
    }
}

/* The landing into a sink of the core's; NULL when there is none. Lock held. */
static struct reliable_landing *landing_find(const struct reliable *interface, const void *token)
{
    struct reliable_peer *peer = interface->peers;

    while (peer && (peer->landing.state == RELIABLE_LANDING_NONE || peer->landing.sink.token != token)) {
        peer = peer->next;
    }
    return peer ? &peer->landing : NULL;
}

/* Takes back the sink of a numbered message. Lock held, and left. */
static void landing_revoke(struct reliable *interface, struct reliable_landing *landing)
{
    struct reliable_net *net = interface->net;
    struct reliable_done done = {NULL, NULL, NULL};

    if (landing->state == RELIABLE_LANDING_WAITING) {
        done.token = landing->sink.token;
        landing->sink = (struct nal_sink){NULL, 0, NULL}; /* what still comes of it is thrown away */
        reliable_unlock(interface, &done);
        return;
    }
    landing->revoked = landing->revoking = true;
    pthread_mutex_unlock(&net->lock);
    nal_revoke(interface->below, landing);
    pthread_mutex_lock(&net->lock);
    landing->revoking = false;
    pthread_mutex_unlock(&net->lock);
}

void reliable_revoke(struct nal *nal, void *token)
{
    struct reliable *interface = (struct reliable *)nal;

    pthread_mutex_lock(&interface->net->lock);
    struct reliable_landing *landing = landing_find(interface, token);
    if (!landing) {
        /* The core's own token is known below if the message has no number. If its `arrive` is running, the network
         * below waits for that; then the token stands in a landing here. */
        pthread_mutex_unlock(&interface->net->lock);
        nal_revoke(interface->below, token);
        pthread_mutex_lock(&interface->net->lock);
        landing = landing_find(interface, token);
    }
    if (landing) {
        landing_revoke(interface, landing);
    } else {
        pthread_mutex_unlock(&interface->net->lock);
    }
}

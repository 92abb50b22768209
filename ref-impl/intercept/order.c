/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The order in which messages begin: packets of one sender come over four planes, so an RTS may overtake another. Each
 * has a number; one that is too early waits, one that is too late has come before. A TRY_MATCH has a number of the same
 * sequence, so that long messages keep their place among short ones.
 */
#include "ref-impl/intercept/node_state.h"

#include <stdlib.h>
#include <string.h>

//= ICPT-140
//= ICPT-219
static void message_begin(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame)
{
    struct intercept_receive *receive = &peer->receives[frame->message_number % ICPT_OPEN_MAX];

    *receive = (struct intercept_receive){.peer = peer,
                                          .number = frame->message_number,
                                          .vnic = frame->destination_vnic,
                                          .source_vnic = frame->source_vnic};
    peer->busy++;
    if (frame->message == WIRE_INTERCEPT_RTS) {
        receive->kind = ICPT_RMPP;
        intercept_rmpp_begin(node, receive, frame);
    } else {
        receive->kind = ICPT_MATCH;
        intercept_pull_match(node, receive, frame);
    }
}

/* Keeps a message that cannot begin yet. */
//= ICPT-172
static void message_keep(struct intercept_node *node, struct intercept_peer *peer,
                         const struct wire_intercept_frame *frame)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = 0;

    if (!peer->early) {
        peer->early = calloc(ICPT_OPEN_MAX, sizeof *peer->early);
    }
    if (!peer->early || wire_intercept_encode(frame, octets, sizeof octets, &len) != WIRE_OK) {
        node->counts.unknown++;
        return;
    }
    struct intercept_early *early = &peer->early[frame->message_number % ICPT_OPEN_MAX];

    early->is_used = true;
    early->len = len - WIRE_INTERCEPT_CRC_OCTETS;
    memcpy(early->entry, octets, early->len);
    node->counts.reordered++;
}

/* Takes its channels from a transfer: what still comes for them is nobody's. */
static void channels_close(struct intercept_node *node, const struct intercept_receive *receive)
{
    for (unsigned channel = 0; channel < WIRE_INTERCEPT_CHANNELS; channel++) {
        if (node->owners[channel] == receive) {
            intercept_channel_close(&node->nic->channels[channel]);
            node->owners[channel] = NULL;
        }
    }
}

/* A node that has booted begins to count anew; what it sent before is over. */
//= ICPT-176
//= ICPT-290
static void peer_boot(struct intercept_node *node, struct intercept_peer *peer)
{
    for (unsigned i = 0; i < ICPT_OPEN_MAX; i++) {
        struct intercept_receive *receive = &peer->receives[i];

        if (receive->kind != ICPT_FREE) {
            channels_close(node, receive);
            intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_UNKNOWN);
            intercept_receive_free(receive);
        }
        if (peer->early) {
            peer->early[i].is_used = false;
        }
    }
    free(peer->overtaking);
    peer->overtaking = NULL;
    peer->expected = 0;
}

//= IW-31
//= ICPT-019
//= ICPT-141
//= ICPT-174
//= ICPT-175
//= ICPT-190
void intercept_order_take(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame)
{
    bool is_free = peer->receives[frame->message_number % ICPT_OPEN_MAX].kind == ICPT_FREE;

    if (frame->message_number == 0 && peer->expected != 0) {
        peer_boot(node, peer);
        is_free = peer->receives[0].kind == ICPT_FREE;
    }
    if (frame->message_number < peer->expected) {
        node->counts.stale++;
    } else if (frame->message_number - peer->expected >= ICPT_OPEN_MAX) {
        node->counts.unknown++;
    } else if (frame->message_number != peer->expected || !is_free) {
        message_keep(node, peer, frame);
    } else {
        peer->expected++;
        message_begin(node, peer, frame);
        intercept_order_resume(node, peer);
    }
}

//= ICPT-173
void intercept_order_resume(struct intercept_node *node, struct intercept_peer *peer)
{
    while (peer->early && peer->early[peer->expected % ICPT_OPEN_MAX].is_used &&
           peer->receives[peer->expected % ICPT_OPEN_MAX].kind == ICPT_FREE) {
        struct intercept_early *early = &peer->early[peer->expected % ICPT_OPEN_MAX];
        struct wire_intercept_frame frame;

        early->is_used = false;
        peer->expected++;
        if (wire_intercept_decode_entry(early->entry, early->len, &frame) == WIRE_OK) {
            message_begin(node, peer, &frame);
        }
    }
}

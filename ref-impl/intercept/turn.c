/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The driver's turn, its peers, and what all kinds of messages have in common; see node.h. A peer's state is made when
 * something is sent to it or comes from it, and stays: RMPP is connectionless (5.2.3 of the thesis).
 */
#include "ref-impl/intercept/node_state.h"

#include "wire/intercept/rules.h"

#include <stdlib.h>

//= ICPT-105
//= ICPT-301
bool intercept_node_begin(struct intercept_node *node, struct intercept_nic *nic, uint16_t pid,
                          const struct intercept_library *library, void *portals)
{
    *node = (struct intercept_node){.nic = nic,
                                    .library = library,
                                    .portals = portals,
                                    .rank = (uint64_t)nic->iuca << 16 | pid,
                                    .short_max = ICPT_SHORT_MAX};
    return intercept_nic_open(nic, WIRE_INTERCEPT_HANDLER_VNIC, ICPT_RX_OCTETS_MIN, ICPT_INTERRUPT_ALL);
}

void intercept_node_end(struct intercept_node *node)
{
    for (unsigned bucket = 0; bucket < ICPT_BUCKETS; bucket++) {
        while (node->peers[bucket]) {
            struct intercept_peer *peer = node->peers[bucket];

            node->peers[bucket] = peer->next;
            free(peer->early);
            free(peer->overtaking);
            free(peer);
        }
    }
    free(node->bounce);
}

struct intercept_peer *intercept_peer_of(struct intercept_node *node, uint16_t iuca)
{
    struct intercept_peer **bucket = &node->peers[iuca % ICPT_BUCKETS];
    struct intercept_peer *peer = *bucket;

    while (peer && peer->iuca != iuca) {
        peer = peer->next;
    }
    if (!peer) {
        peer = calloc(1, sizeof *peer);
        if (peer) {
            peer->iuca = iuca;
            peer->next = *bucket;
            *bucket = peer;
        }
    }
    return peer;
}

/* ---- sending ---- */

//= ICPT-165
//= ICPT-171
//= ICPT-179
//= ICPT-229
//= ICPT-227
//= ICPT-228
bool intercept_node_send(struct intercept_node *node, struct intercept_send *send)
{
    bool is_local = node->wishes & ICPT_WISH_PROCESSES && send->destination == node->nic->iuca;
    struct intercept_peer *peer = is_local ? NULL : intercept_peer_of(node, send->destination);
    struct intercept_send **link = peer ? &peer->first_send : NULL;

    send->destination_vnic = send->destination_vnic ? send->destination_vnic : send->vnic;
    if (is_local) {
        intercept_local_send(node, send);
        return true;
    }
    if (!peer) {
        return false;
    }
    send->is_long = send->vnic == 0 || (!send->is_short && send->length > node->short_max);
    send->number = send->vnic == 0 ? 0 : peer->next_number++;
    send->key = ++node->last_key;
    while (*link) {
        link = &(*link)->next;
    }
    send->next = NULL;
    *link = send;
    return true;
}

/* Takes a message out. One that had not begun leaves no hole in the numbers. */
static void send_unlink(struct intercept_peer *peer, const struct intercept_send *send)
{
    struct intercept_send **link = &peer->first_send;
    bool renumber = send->vnic != 0 && !send->is_open;

    while (*link && *link != send) {
        link = &(*link)->next;
    }
    if (!*link) {
        return;
    }
    *link = send->next;
    for (struct intercept_send *behind = send->next; renumber && behind; behind = behind->next) {
        behind->number -= behind->vnic != 0;
    }
    peer->next_number -= renumber;
    if (send->is_open && send->vnic != 0 && send->number == 0) {
        peer->is_booting = false;
    }
}

void intercept_node_abandon(struct intercept_node *node, struct intercept_send *send)
{
    struct intercept_peer *peer =
        intercept_local_abandon(node, send) ? NULL : intercept_peer_of(node, send->destination);

    if (peer) {
        send_unlink(peer, send);
    }
    intercept_nic_forget(node->nic, send);
    if (node->bounced == send) {
        node->bounced = NULL;
    }
}

void intercept_send_close(struct intercept_node *node, struct intercept_send *send, bool complete)
{
    intercept_node_abandon(node, send);
    node->library->sent(node->portals, send, complete);
}

/* Whether a message may begin: not behind a boot message that is not answered, nor too far ahead of the oldest one. */
//= IW-32
//= ICPT-177
static bool may_start(const struct intercept_peer *peer, const struct intercept_send *send)
{
    const struct intercept_send *oldest = peer->first_send;

    while (oldest->vnic == 0 && oldest != send) {
        oldest = oldest->next;
    }
    return send->vnic == 0 || (!peer->is_booting && send->number - oldest->number < ICPT_OPEN_MAX);
}

//= ICPT-180
//= ICPT-183
static void sends_flush(struct intercept_node *node, struct intercept_peer *peer)
{
    struct intercept_send *next;
    bool may = true;

    for (struct intercept_send *send = peer->first_send; send; send = next) {
        next = send->next;
        if (!send->is_open) {
            may = may && may_start(peer, send) && intercept_send_start(node, peer, send);
        }
    }
    for (struct intercept_send *send = peer->first_send; send; send = send->next) {
        if (send->is_long) {
            intercept_vdma_serve(node, peer, send);
        } else if (send->is_open) {
            intercept_send_data(node, peer, send);
        }
    }
}

//= ICPT-056
//= ICPT-134
//= ICPT-139
//= ICPT-143
bool intercept_post(struct intercept_node *node, const struct intercept_peer *peer, struct wire_intercept_frame *frame)
{
    bool marked = frame->message != WIRE_INTERCEPT_DATA;

    frame->planes = (uint8_t)node->nic->mask;
    frame->flags = marked ? WIRE_INTERCEPT_FLAG_INTERRUPT : 0;
    frame->destination = peer->iuca;
    if (node->wishes & ICPT_WISH_JOINT) {
        return intercept_joint_post(node, frame, frame->message == WIRE_INTERCEPT_RTS ? 0 : 1);
    }
    return intercept_nic_post(node->nic, frame->source_vnic, frame->message == WIRE_INTERCEPT_RTS ? 0 : 1, frame);
}

/* ---- receiving ---- */

//= ICPT-221
bool intercept_receive_begin(struct intercept_node *node, struct intercept_receive *receive,
                             const struct intercept_arrival *arrival, uint64_t data)
{
    struct intercept_wanted wanted = {0};
    bool fits;

    node->library->parse(node->portals, arrival, &wanted);
    receive->token = wanted.token;
    receive->mlength = wanted.mlength;
    receive->memory = wanted.memory;
    receive->is_reply = node->wishes & ICPT_WISH_GETS && wanted.is_reply && wanted.mlength == wanted.rlength;
    fits = wanted.mlength <= wanted.rlength && (arrival->length == UINT64_MAX || arrival->length == wanted.rlength) &&
           data == (wanted.rlength < data ? wanted.rlength : data);
    if (arrival->length == UINT64_MAX && wanted.mlength > data && data < receive->first) {
        fits = false; /* IW-34: what follows would not stand where the receiver puts it */
    }
    if (!fits) {
        intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_FAULT);
    }
    return fits;
}

//= ICPT-187
//= ICPT-222
void intercept_receive_close(struct intercept_node *node, struct intercept_receive *receive, uint32_t status)
{
    void *token = receive->token;

    receive->is_over = true;
    receive->owes_cts = receive->owes_next = false;
    receive->status = status;
    receive->token = NULL;
    if (token) {
        node->library->finalize(node->portals, token, status == WIRE_INTERCEPT_STATUS_OK);
    }
}

void intercept_receive_free(struct intercept_receive *receive)
{
    struct intercept_peer *peer = receive->peer;

    *receive = (struct intercept_receive){.kind = ICPT_FREE};
    peer->busy--;
}

//= ICPT-181
static void receives_flush(struct intercept_node *node, struct intercept_peer *peer)
{
    for (unsigned i = 0; peer->busy > 0 && i < ICPT_OPEN_MAX + ICPT_PUTS; i++) {
        struct intercept_receive *receive =
            i < ICPT_OPEN_MAX ? &peer->receives[(peer->expected + i) % ICPT_OPEN_MAX] : &peer->puts[i - ICPT_OPEN_MAX];

        if (receive->kind == ICPT_RMPP) {
            intercept_rmpp_answer(node, receive);
        } else if (receive->kind != ICPT_FREE) {
            intercept_pull_go(node, receive);
        }
    }
}

/* What comes for a VNIC of Portals. */
//= ICPT-185
static void rmpp_take(struct intercept_node *node, struct intercept_peer *peer,
                      const struct wire_intercept_frame *frame)
{
    switch ((int)frame->message) {
    case WIRE_INTERCEPT_RTS:
        intercept_order_take(node, peer, frame);
        break;
    case WIRE_INTERCEPT_CTS:
    case WIRE_INTERCEPT_NEXT_CTS:
        intercept_rmpp_granted(node, peer, frame);
        break;
    case WIRE_INTERCEPT_DATA:
    case WIRE_INTERCEPT_STOP_DATA:
    case WIRE_INTERCEPT_LAST_DATA:
        if (!intercept_reply_keep(node, peer, frame)) {
            intercept_rmpp_data(node, peer, frame);
        }
        break;
    case WIRE_INTERCEPT_MSGEND:
    case WIRE_INTERCEPT_MSGERROR:
        intercept_rmpp_ended(node, peer, frame);
        break;
    default:
        node->counts.unknown++;
        break;
    }
}

//= ICPT-021
static void packet_take(struct intercept_node *node, unsigned vnic, const struct wire_intercept_frame *frame)
{
    struct intercept_peer *peer = NULL;

    if (wire_intercept_judge(frame) == WIRE_INTERCEPT_LEGAL && frame->source != node->nic->iuca) {
        peer = intercept_peer_of(node, frame->source);
    }
    if (!peer) {
        node->counts.unknown++;
    } else if (vnic == WIRE_INTERCEPT_HANDLER_VNIC) {
        intercept_control_take(node, peer, frame);
    } else {
        rmpp_take(node, peer, frame);
    }
}

/* What comes for a VNIC: a packet, or several that travelled as one. */
static void packets_take(struct intercept_node *node, unsigned vnic, const struct wire_intercept_frame *frame)
{
    unsigned char entry[ICPT_EARLY_OCTETS];
    struct wire_intercept_frame single;
    size_t at = 0;

    if (!(node->wishes & ICPT_WISH_JOINT) || vnic == WIRE_INTERCEPT_HANDLER_VNIC || frame->content == WIRE_OK) {
        packet_take(node, vnic, frame);
        return;
    }
    while (intercept_joint_next(frame, &at, entry, &single)) {
        packet_take(node, vnic, &single);
    }
    node->counts.unknown += at < frame->data_len;
}

/* ---- the turn ---- */

static void arrivals_take(struct intercept_node *node, uint64_t now_ns)
{
    struct wire_intercept_frame frame;
    unsigned completed;

    (void)intercept_nic_interrupts(node->nic);
    for (unsigned vnic = 0; vnic < WIRE_INTERCEPT_VNICS; vnic++) {
        while (node->nic->vnics[vnic].rx.octets && intercept_nic_first(node->nic, vnic, &frame)) {
            packets_take(node, vnic, &frame);
            intercept_nic_drop(node->nic, vnic, now_ns);
        }
    }
    completed = intercept_nic_completed(node->nic);
    for (unsigned channel = 0; channel < WIRE_INTERCEPT_CHANNELS; channel++) {
        if (completed >> channel & 1) {
            intercept_pull_channel(node, channel);
        }
    }
}

//= ICPT-082
//= ICPT-138
//= ICPT-182
void intercept_node_turn(struct intercept_node *node, uint64_t now_ns)
{
    arrivals_take(node, now_ns);
    intercept_local_deliver(node);
    for (unsigned bucket = 0; bucket < ICPT_BUCKETS; bucket++) {
        for (struct intercept_peer *peer = node->peers[bucket]; peer; peer = peer->next) {
            intercept_order_resume(node, peer);
            receives_flush(node, peer);
            sends_flush(node, peer);
            intercept_control_flush(node, peer);
        }
    }
    (void)intercept_joint_flush(node);
    intercept_nic_pump(node->nic, now_ns);
}

bool intercept_node_idle(const struct intercept_node *node)
{
    if (node->joint.len > 0 || node->first_local) {
        return false;
    }
    for (unsigned bucket = 0; bucket < ICPT_BUCKETS; bucket++) {
        for (const struct intercept_peer *peer = node->peers[bucket]; peer; peer = peer->next) {
            if (peer->first_send || peer->busy > 0 || peer->owed > 0 || peer->owes_connection) {
                return false;
            }
        }
    }
    return true;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The handlers' connection: who wants to send a control message to a node that it does not know tells it by UPD_CONN,
 * and both give each other credit. Without credit a message waits where it is owed; half of the credit taken, the
 * receiver gives the same again.
 */
#include "ref-impl/intercept/node_state.h"

/* Control messages keep their order: over one plane, the lowest that is there. */
//= IW-40
//= ICPT-042
//= ICPT-085
//= ICPT-086
static bool handler_post(struct intercept_node *node, const struct intercept_peer *peer,
                         struct wire_intercept_frame *frame)
{
    frame->planes = (uint8_t)(node->nic->mask & (0U - node->nic->mask));
    frame->destination = peer->iuca;
    frame->rank = node->rank;
    return intercept_nic_post(node->nic, WIRE_INTERCEPT_HANDLER_VNIC, 0, frame);
}

//= IW-43
//= ICPT-089
//= ICPT-090
//= ICPT-121
bool intercept_control_post(struct intercept_node *node, struct intercept_peer *peer,
                            struct wire_intercept_frame *frame)
{
    if (!peer->is_connected) {
        peer->is_connected = peer->owes_connection = true;
        peer->owed += ICPT_CREDIT;
    }
    if (peer->credits == 0) {
        node->counts.waited_for_credit++;
        return false;
    }
    if (!handler_post(node, peer, frame)) {
        return false;
    }
    peer->credits--;
    return true;
}

//= ICPT-122
//= ICPT-300
static bool post_connection(struct intercept_node *node, const struct intercept_peer *peer)
{
    unsigned char iuca[2] = {(unsigned char)(node->nic->iuca >> 8), (unsigned char)node->nic->iuca};
    struct wire_intercept_frame frame = {
        .message = WIRE_INTERCEPT_UPD_CONN, .nic_count = 1, .data = iuca, .data_len = sizeof iuca};

    return handler_post(node, peer, &frame);
}

//= ICPT-094
static bool post_refusal(struct intercept_node *node, const struct intercept_peer *peer)
{
    struct wire_intercept_frame frame = {
        .message = WIRE_INTERCEPT_REFUSE, .key = peer->refused_key, .status = WIRE_INTERCEPT_STATUS_CONNECTED};

    return handler_post(node, peer, &frame);
}

//= ICPT-028
//= ICPT-092
//= ICPT-285
static bool post_credit(struct intercept_node *node, const struct intercept_peer *peer)
{
    struct wire_intercept_frame frame = {
        .message = WIRE_INTERCEPT_CREDIT, .command = WIRE_INTERCEPT_COMMAND_CREDIT, .amount = (uint16_t)peer->owed};

    return handler_post(node, peer, &frame);
}

void intercept_control_flush(struct intercept_node *node, struct intercept_peer *peer)
{
    if (peer->owes_connection && post_connection(node, peer)) {
        peer->owes_connection = false;
    }
    if (!peer->owes_connection && peer->owed > 0 && post_credit(node, peer)) {
        peer->owed = 0;
    }
    if (peer->owes_refusal && post_refusal(node, peer)) {
        peer->owes_refusal = false;
    }
}

/* A node makes itself known: it gets the initial credit, once. */
//= IW-42
//= IW-49
//= ICPT-092
//= ICPT-109
//= ICPT-123
static void connection_take(struct intercept_node *node, struct intercept_peer *peer,
                            const struct wire_intercept_frame *frame)
{
    bool is_connect = frame->message == WIRE_INTERCEPT_CONNECT;

    if (is_connect && (peer->is_connected || frame->peer_rank != node->rank)) {
        peer->owes_refusal = true;
        peer->refused_key = frame->key;
    } else if (!peer->is_connected) {
        peer->is_connected = true;
        peer->owed += ICPT_CREDIT;
    }
}

/* Who counts credits beyond what fits gets no more of them. */
static void credit_take(struct intercept_peer *peer, uint32_t amount)
{
    peer->credits += amount < UINT16_MAX - peer->credits ? amount : UINT16_MAX - peer->credits;
}

//= ICPT-091
//= ICPT-302
static void credited_take(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame)
{
    switch ((int)frame->message) {
    case WIRE_INTERCEPT_GET:
        intercept_vdma_get(node, peer, frame);
        break;
    case WIRE_INTERCEPT_PUT:
        intercept_pull_put(node, peer, frame);
        break;
    case WIRE_INTERCEPT_GET_EXT_REPLY:
        intercept_pull_blocks(node, peer, frame);
        break;
    case WIRE_INTERCEPT_TRY_MATCH:
        intercept_order_take(node, peer, frame);
        break;
    default: /* MATCH_REPLY, DONE */
        intercept_vdma_ended(node, peer, frame);
        break;
    }
    peer->taken++;
    if (peer->taken >= ICPT_CREDIT / 2) {
        peer->owed += peer->taken;
        peer->taken = 0;
    }
}

//= ICPT-083
void intercept_control_take(struct intercept_node *node, struct intercept_peer *peer,
                            const struct wire_intercept_frame *frame)
{
    switch ((int)frame->message) {
    case WIRE_INTERCEPT_CREDIT:
        credit_take(peer, frame->amount);
        break;
    case WIRE_INTERCEPT_CONNECT:
    case WIRE_INTERCEPT_UPD_CONN:
        connection_take(node, peer, frame);
        break;
    case WIRE_INTERCEPT_GET:
    case WIRE_INTERCEPT_PUT:
    case WIRE_INTERCEPT_GET_EXT_REPLY:
    case WIRE_INTERCEPT_TRY_MATCH:
    case WIRE_INTERCEPT_MATCH_REPLY:
    case WIRE_INTERCEPT_DONE:
        credited_take(node, peer, frame);
        break;
    default:
        node->counts.unknown++;
        break;
    }
}

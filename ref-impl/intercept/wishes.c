/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Wishes of the thesis's chapter 7, in the driver: packets that travel as one, gets that are told from other messages,
 * and processes of one node that send to each other (specs/intercept-wire.md, 12). None is in the profile; who does not
 * ask for them never gets here.
 *
 *      one turn posts      MSGEND of a put, RTS of its acknowledgement
 *      one packet has      | header | MSGEND | RTS | CRC |
 *      the receiver takes  MSGEND, then RTS, as if each had come by itself
 */
#include "ref-impl/intercept/node_state.h"

#include "wire/octets/cursor.h"

#include <stdlib.h>
#include <string.h>

enum { RMPP_HEADER = 16, RMPP_LENGTH_AT = 4 };

/* ---- joint packets ---- */

bool intercept_joint_flush(struct intercept_node *node)
{
    struct intercept_joint *joint = &node->joint;
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                         .planes = (uint8_t)node->nic->mask,
                                         .flags = joint->flags,
                                         .destination = joint->destination,
                                         .destination_vnic = joint->destination_vnic,
                                         .source_vnic = joint->source_vnic,
                                         .data = joint->payload,
                                         .data_len = joint->len};

    if (joint->len > 0 && !intercept_nic_post(node->nic, joint->source_vnic, joint->tx, &frame)) {
        return false;
    }
    joint->len = 0;
    return true;
}

static bool is_for_the_same(const struct intercept_joint *joint, const struct wire_intercept_frame *frame, size_t len)
{
    return joint->len > 0 && len <= sizeof joint->payload - joint->len && joint->destination == frame->destination &&
           joint->destination_vnic == frame->destination_vnic && joint->source_vnic == frame->source_vnic;
}

//= ICPT-275
bool intercept_joint_post(struct intercept_node *node, const struct wire_intercept_frame *frame, unsigned tx)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    struct intercept_joint *joint = &node->joint;
    struct wire_intercept_frame whole = *frame;
    size_t len = 0;

    wire_intercept_complete(&whole);
    if (wire_intercept_encode(&whole, octets, sizeof octets, &len) != WIRE_OK) {
        return false;
    }
    len -= WIRE_INTERCEPT_HEADER_OCTETS + WIRE_INTERCEPT_CRC_OCTETS;
    if (is_for_the_same(joint, frame, len)) {
        node->counts.joined++;
    } else if (intercept_joint_flush(node)) {
        *joint = (struct intercept_joint){.destination = frame->destination,
                                          .destination_vnic = frame->destination_vnic,
                                          .source_vnic = frame->source_vnic,
                                          .tx = tx};
    } else {
        return false;
    }
    memcpy(joint->payload + joint->len, octets + WIRE_INTERCEPT_HEADER_OCTETS, len);
    joint->len += len;
    joint->flags |= frame->flags;
    return true;
}

bool intercept_joint_next(const struct wire_intercept_frame *joint, size_t *at, unsigned char *entry,
                          struct wire_intercept_frame *frame)
{
    struct wire_intercept_frame single = *joint;
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t left = joint->data_len - *at;
    size_t len = 0;

    if (left < RMPP_HEADER) {
        return false;
    }
    struct wire_reader reader = wire_reader_over(joint->data + *at + RMPP_LENGTH_AT, RMPP_HEADER - RMPP_LENGTH_AT);
    uint32_t said = wire_read_u32(&reader);
    if (said < RMPP_HEADER || said > left) {
        return false;
    }
    single.data = joint->data + *at;
    single.data_len = wire_intercept_padded(said) < left ? wire_intercept_padded(said) : left;
    single.length = (uint16_t)single.data_len;
    if (wire_intercept_encode(&single, octets, sizeof octets, &len) != WIRE_OK) {
        return false;
    }
    memcpy(entry, octets, len - WIRE_INTERCEPT_CRC_OCTETS);
    *at += single.data_len;
    return wire_intercept_decode_entry(entry, len - WIRE_INTERCEPT_CRC_OCTETS, frame) == WIRE_OK;
}

/* ---- replies to gets ---- */

static uint32_t first_grant(uint32_t packets)
{
    return packets < ICPT_GRANT ? packets : ICPT_GRANT;
}

void intercept_reply_push(const struct intercept_node *node, struct intercept_send *send, uint64_t first)
{
    if (node->wishes & ICPT_WISH_GETS && send->is_reply && !send->is_long && send->length > first) {
        send->wanted = send->length;
        send->packets = (uint32_t)((send->length - first + ICPT_PACKET_DATA - 1) / ICPT_PACKET_DATA);
        send->granted = first_grant(send->packets);
    }
}

static struct intercept_overtaking *overtaking_of(const struct intercept_peer *peer, uint64_t number, uint32_t packet)
{
    return &peer->overtaking[number % ICPT_OPEN_MAX * ICPT_GRANT + packet];
}

bool intercept_reply_keep(const struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame)
{
    bool may_begin = frame->message_number >= peer->expected && frame->message_number - peer->expected < ICPT_OPEN_MAX;

    if (!(node->wishes & ICPT_WISH_GETS) || !may_begin || frame->packet_number >= ICPT_GRANT ||
        frame->data_len > ICPT_PACKET_DATA) {
        return false;
    }
    if (!peer->overtaking) {
        peer->overtaking = calloc((size_t)ICPT_OPEN_MAX * ICPT_GRANT, sizeof *peer->overtaking);
    }
    if (!peer->overtaking) {
        return false;
    }
    struct intercept_overtaking *kept = overtaking_of(peer, frame->message_number, frame->packet_number);

    kept->is_used = true;
    kept->message = frame->message;
    kept->message_number = frame->message_number;
    kept->packet_number = frame->packet_number;
    kept->len = frame->data_len;
    memcpy(kept->data, frame->data, frame->data_len);
    return true;
}

//= ICPT-276
void intercept_reply_expect(struct intercept_node *node, struct intercept_receive *receive)
{
    struct intercept_peer *peer = receive->peer;
    uint64_t number = receive->number;

    receive->granted = first_grant(receive->packets);
    for (uint32_t packet = 0; peer->overtaking && packet < ICPT_GRANT; packet++) {
        struct intercept_overtaking *kept = overtaking_of(peer, number, packet);

        if (kept->is_used && kept->message_number == number) {
            struct wire_intercept_frame frame = {.message = kept->message,
                                                 .message_number = number,
                                                 .packet_number = packet,
                                                 .data = kept->data,
                                                 .data_len = kept->len};

            kept->is_used = false;
            intercept_rmpp_data(node, peer, &frame);
        }
    }
}

/* ---- processes of one node ---- */

//= ICPT-277
void intercept_local_send(struct intercept_node *node, struct intercept_send *send)
{
    struct intercept_send **link = &node->first_local;

    while (*link) {
        link = &(*link)->next;
    }
    send->next = NULL;
    *link = send;
}

bool intercept_local_abandon(struct intercept_node *node, const struct intercept_send *send)
{
    for (struct intercept_send **link = &node->first_local; *link; link = &(*link)->next) {
        if (*link == send) {
            *link = send->next;
            return true;
        }
    }
    return false;
}

static void local_bring(struct intercept_node *node, struct intercept_send *send)
{
    const struct intercept_library *library = node->library;
    struct intercept_arrival arrival = {
        .source = node->nic->iuca, .vnic = send->destination_vnic, .header = send->header, .length = send->length};
    struct intercept_wanted wanted = {0};

    library->parse(node->portals, &arrival, &wanted);
    bool fits = wanted.mlength <= send->length && wanted.rlength == send->length;
    if (wanted.token && fits && wanted.mlength > 0) {
        library->receive(node->portals, wanted.token, 0, send->data, (size_t)wanted.mlength);
    }
    if (wanted.token) {
        library->finalize(node->portals, wanted.token, fits);
    }
    library->sent(node->portals, send, true);
}

void intercept_local_deliver(struct intercept_node *node)
{
    while (node->first_local) {
        struct intercept_send *send = node->first_local;

        node->first_local = send->next;
        local_bring(node, send);
    }
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Messages on their way out: their first packet, and the data packets of RMPP.
 *
 *      waiting --RTS--> open --MSGEND----------------------------> over
 *                        |  --CTS--> granted --DATA .. LAST_DATA--> open
 *                        |              ^      DATA .. STOP_DATA -> open
 *                        +--NEXT_CTS----+
 */
#include "ref-impl/intercept/node_state.h"

#include <string.h>

static size_t lesser(uint64_t one, uint64_t other)
{
    return (size_t)(one < other ? one : other);
}

/* How many octets its Portals header has in an RTS or TRY_MATCH, and how many of the message follow it in the RTS. */
static size_t header_of(const struct intercept_send *send)
{
    return wire_intercept_portals_octets(send->header, sizeof send->header);
}

static uint64_t first_of(const struct intercept_send *send)
{
    return WIRE_INTERCEPT_RTS_ROOM - header_of(send);
}

/* The open message with that number that came for a VNIC of ours; NULL: there is none. */
//= ICPT-186
static struct intercept_send *send_numbered(const struct intercept_peer *peer, const struct wire_intercept_frame *frame)
{
    struct intercept_send *send = peer->first_send;

    while (send && (send->number != frame->message_number || send->is_long || !send->is_open ||
                    send->vnic != frame->destination_vnic)) {
        send = send->next;
    }
    return send;
}

//= IW-34
//= ICPT-135
//= ICPT-144
//= ICPT-153
//= ICPT-159
//= ICPT-217
//= ICPT-294
static bool post_rts(struct intercept_node *node, struct intercept_peer *peer, const struct intercept_send *send)
{
    unsigned char data[WIRE_INTERCEPT_RTS_ROOM];
    size_t header = header_of(send);
    size_t len = lesser(send->length, first_of(send));
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_RTS,
                                         .destination_vnic = send->destination_vnic,
                                         .source_vnic = send->vnic,
                                         .message_number = send->number,
                                         .data = data,
                                         .data_len = header + len};

    memcpy(data, send->header, header);
    if (len > 0) {
        memcpy(data + header, send->data, len);
    }
    return intercept_post(node, peer, &frame);
}

//= ICPT-124
//= ICPT-129
//= ICPT-299
static bool post_long(struct intercept_node *node, struct intercept_peer *peer, const struct intercept_send *send)
{
    uint64_t address = (uint64_t)(uintptr_t)send->data;
    struct wire_intercept_frame match = {.message = WIRE_INTERCEPT_TRY_MATCH,
                                         .key = send->key,
                                         .message_number = send->number,
                                         .address = address,
                                         .match_length = send->length,
                                         .data = send->header,
                                         .data_len = header_of(send)};
    struct wire_intercept_frame put = {
        .message = WIRE_INTERCEPT_PUT, .key = send->key, .address = address, .put_length = send->length};

    return intercept_control_post(node, peer, send->vnic ? &match : &put);
}

bool intercept_send_start(struct intercept_node *node, struct intercept_peer *peer, struct intercept_send *send)
{
    send->is_open = send->is_long ? post_long(node, peer, send) : post_rts(node, peer, send);
    if (!send->is_open) {
        return false;
    }
    if (send->is_long) {
        node->counts.long_messages++;
    } else {
        node->counts.short_messages++;
    }
    peer->is_booting = peer->is_booting || (send->vnic != 0 && send->number == 0);
    intercept_reply_push(node, send, first_of(send));
    return true;
}

//= ICPT-167
//= ICPT-178
void intercept_rmpp_granted(struct intercept_node *node, struct intercept_peer *peer,
                            const struct wire_intercept_frame *frame)
{
    struct intercept_send *send = send_numbered(peer, frame);
    bool is_first = frame->message == WIRE_INTERCEPT_CTS;

    if (!send || (send->packets == 0) != is_first ||
        (is_first && (frame->mlength <= first_of(send) || frame->mlength > send->length))) {
        node->counts.unknown++;
        return;
    }
    if (is_first) {
        send->wanted = frame->mlength;
        send->packets = (uint32_t)((send->wanted - first_of(send) + ICPT_PACKET_DATA - 1) / ICPT_PACKET_DATA);
        peer->is_booting = peer->is_booting && send->number != 0;
    }
    send->granted += (uint32_t)lesser(frame->n, send->packets - send->granted);
}

//= IW-36
//= IW-37
//= ICPT-142
//= ICPT-147
//= ICPT-148
//= ICPT-149
//= ICPT-154
//= ICPT-156
//= ICPT-291
void intercept_send_data(struct intercept_node *node, struct intercept_peer *peer, struct intercept_send *send)
{
    while (send->posted < send->granted) {
        uint64_t offset = first_of(send) + (uint64_t)send->posted * ICPT_PACKET_DATA;
        bool is_last = send->posted + 1 == send->packets;
        bool is_stop = send->posted + 1 == send->granted;
        struct wire_intercept_frame frame = {.message = is_last   ? WIRE_INTERCEPT_LAST_DATA
                                                        : is_stop ? WIRE_INTERCEPT_STOP_DATA
                                                                  : WIRE_INTERCEPT_DATA,
                                             .destination_vnic = send->destination_vnic,
                                             .source_vnic = send->vnic,
                                             .message_number = send->number,
                                             .packet_number = send->posted,
                                             .data = send->data + offset,
                                             .data_len = lesser(ICPT_PACKET_DATA, send->wanted - offset)};

        if (!intercept_post(node, peer, &frame)) {
            return;
        }
        send->posted++;
    }
}

//= ICPT-169
//= ICPT-191
void intercept_rmpp_ended(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame)
{
    struct intercept_send *send = send_numbered(peer, frame);

    if (!send) {
        node->counts.unknown++;
        return;
    }
    intercept_send_close(node, send, frame->message == WIRE_INTERCEPT_MSGEND);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Short messages that arrive. A data packet says its number, from which its place follows, so packets are taken in any
 * order; a message is over when all octets that Portals wants have come, whichever packet was the last (5.3.2 of the
 * thesis).
 */
#include "ref-impl/intercept/node_state.h"

static uint64_t lesser(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

//= ICPT-160
//= ICPT-168
void intercept_rmpp_begin(struct intercept_node *node, struct intercept_receive *receive,
                          const struct wire_intercept_frame *frame)
{
    size_t header = wire_intercept_portals_octets(frame->data, frame->data_len);
    uint64_t data = frame->data_len - header;
    struct intercept_arrival arrival = {
        .source = frame->source, .vnic = frame->destination_vnic, .header = frame->data, .length = UINT64_MAX};

    receive->first = WIRE_INTERCEPT_RTS_ROOM - header;
    if (!intercept_receive_begin(node, receive, &arrival, data)) {
        return;
    }
    receive->received = lesser(receive->mlength, data);
    if (receive->received > 0) {
        node->library->receive(node->portals, receive->token, 0, frame->data + header, (size_t)receive->received);
    }
    if (receive->received == receive->mlength) {
        intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_OK);
        return;
    }
    receive->packets = (uint32_t)((receive->mlength - receive->first + ICPT_PACKET_DATA - 1) / ICPT_PACKET_DATA);
    receive->owes_cts = !receive->is_reply;
    if (receive->is_reply) {
        intercept_reply_expect(node, receive);
    }
}

/* Marks a data packet as come. False: it has come before, or is none that was granted. */
static bool packet_mark(struct intercept_receive *receive, uint32_t number)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    uint64_t *word = &receive->seen[number / 64 % (ICPT_SEEN_PACKETS / 64)];

    if (number >= receive->granted || number < receive->base || *word & bit) {
        return false;
    }
    *word |= bit;
    while (receive->seen[receive->base / 64 % (ICPT_SEEN_PACKETS / 64)] == UINT64_MAX) {
        receive->seen[receive->base / 64 % (ICPT_SEEN_PACKETS / 64)] = 0;
        receive->base += 64;
    }
    return true;
}

//= ICPT-155
//= ICPT-161
//= ICPT-162
//= ICPT-184
void intercept_rmpp_data(struct intercept_node *node, struct intercept_peer *peer,
                         const struct wire_intercept_frame *frame)
{
    struct intercept_receive *receive = &peer->receives[frame->message_number % ICPT_OPEN_MAX];
    uint64_t offset = receive->first + (uint64_t)frame->packet_number * ICPT_PACKET_DATA;

    if (receive->kind != ICPT_RMPP || receive->number != frame->message_number || receive->is_over ||
        offset >= receive->mlength || frame->data_len != lesser(ICPT_PACKET_DATA, receive->mlength - offset) ||
        !packet_mark(receive, frame->packet_number)) {
        node->counts.unknown++;
        return;
    }
    node->library->receive(node->portals, receive->token, offset, frame->data, frame->data_len);
    receive->received += frame->data_len;
    if (receive->received == receive->mlength) {
        intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_OK);
    } else if (frame->message == WIRE_INTERCEPT_STOP_DATA) {
        receive->owes_next = receive->granted < receive->packets;
    }
}

/* Grants more packets, first of all with a CTS. */
//= IW-35
//= ICPT-145
//= ICPT-146
//= ICPT-157
//= ICPT-158
//= ICPT-163
//= ICPT-164
//= ICPT-303
static void grant(struct intercept_node *node, struct intercept_receive *receive)
{
    uint32_t n = (uint32_t)lesser(ICPT_GRANT, receive->packets - receive->granted);
    struct wire_intercept_frame frame = {.message = receive->owes_cts ? WIRE_INTERCEPT_CTS : WIRE_INTERCEPT_NEXT_CTS,
                                         .destination_vnic = receive->source_vnic,
                                         .source_vnic = receive->vnic,
                                         .message_number = receive->number,
                                         .n = n,
                                         .mlength = receive->mlength};

    if (receive->granted + n - receive->base <= ICPT_SEEN_PACKETS && intercept_post(node, receive->peer, &frame)) {
        receive->granted += n;
        receive->owes_cts = receive->owes_next = false;
    }
}

//= ICPT-150
//= ICPT-151
//= ICPT-170
void intercept_rmpp_answer(struct intercept_node *node, struct intercept_receive *receive)
{
    bool is_good = receive->status == WIRE_INTERCEPT_STATUS_OK;
    struct wire_intercept_frame frame = {.message = is_good ? WIRE_INTERCEPT_MSGEND : WIRE_INTERCEPT_MSGERROR,
                                         .destination_vnic = receive->source_vnic,
                                         .source_vnic = receive->vnic,
                                         .message_number = receive->number,
                                         .status = receive->status};

    if (receive->owes_cts || receive->owes_next) {
        grant(node, receive);
    }
    if (receive->is_over && intercept_post(node, receive->peer, &frame)) {
        intercept_receive_free(receive);
    }
}

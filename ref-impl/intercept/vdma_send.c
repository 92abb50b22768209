/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Long messages on their way out: the receiver asks for slices by GET, and for what its alignment leaves over at both
 * ends. A slice whose memory is not aligned as the receiver's is copied to a buffer that is (figure 5.4 of the thesis).
 * Nothing but the message's own memory is sent, whatever a GET says.
 */
#include "ref-impl/intercept/node_state.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 32 };

static struct intercept_send *send_keyed(const struct intercept_peer *peer, uint64_t key)
{
    struct intercept_send *send = peer->first_send;

    while (send && (send->key != key || !send->is_long || !send->is_open)) {
        send = send->next;
    }
    return send;
}

/* Whether these octets are the message's; gives where they are. */
static bool is_within(const struct intercept_send *send, uint64_t address, uint64_t len, const unsigned char **from)
{
    uint64_t offset = address - (uint64_t)(uintptr_t)send->data;

    if (offset > send->length || len > send->length - offset) {
        return false;
    }
    *from = send->data + offset;
    return true;
}

static bool take_blocks(struct intercept_send *send, const struct wire_intercept_frame *frame)
{
    const unsigned char *first = NULL, *last = NULL;

    if (frame->key_remaining == 0) {
        return true;
    }
    if (send->owes_blocks ||
        (frame->first_block_length && !is_within(send, frame->first_block_addr, frame->first_block_length, &first)) ||
        (frame->last_block_length && !is_within(send, frame->last_block_addr, frame->last_block_length, &last))) {
        return false;
    }
    send->owes_blocks = true;
    send->blocks_key = frame->key_remaining;
    send->first_len = (uint32_t)frame->first_block_length;
    send->last_len = (uint32_t)frame->last_block_length;
    send->first_from = first;
    send->last_from = last;
    return true;
}

//= ICPT-097
void intercept_vdma_get(struct intercept_node *node, struct intercept_peer *peer,
                        const struct wire_intercept_frame *frame)
{
    struct intercept_send *send = send_keyed(peer, frame->key);
    const unsigned char *from = NULL;

    if (!send || send->get_count == WIRE_INTERCEPT_CHANNELS ||
        (frame->slice_length && !is_within(send, frame->address, frame->slice_length, &from)) ||
        !take_blocks(send, frame)) {
        node->counts.unknown++;
        return;
    }
    peer->is_booting = peer->is_booting && (send->vnic == 0 || send->number != 0);
    if (frame->slice_length) {
        send->gets[(send->get_first + send->get_count) % WIRE_INTERCEPT_CHANNELS] =
            (struct intercept_get){.channel = frame->channel_granted,
                                   .window_start = frame->window_start,
                                   .len = (uint32_t)frame->slice_length,
                                   .from = from};
        send->get_count++;
    }
}

/* Whether the engine has a slice of that message. */
static bool has_slice(const struct intercept_nic *nic, const struct intercept_send *send)
{
    for (unsigned i = 0; i < nic->slice_count; i++) {
        if (nic->slices[(nic->first_slice + i) % WIRE_INTERCEPT_CHANNELS].cookie == send) {
            return true;
        }
    }
    return false;
}

/* Where the engine may read the slice: as the receiver's window is aligned. NULL: not now. */
//= ICPT-117
//= ICPT-118
static const unsigned char *aligned(struct intercept_node *node, const struct intercept_send *send,
                                    const struct intercept_get *get)
{
    if (((uintptr_t)get->from - get->window_start) % ALIGNMENT == 0) {
        return get->from;
    }
    if (!node->bounce) {
        node->bounce = malloc(ICPT_WINDOW_OCTETS);
    }
    if (!node->bounce || node->bounced || node->nic->slice_count == WIRE_INTERCEPT_CHANNELS) {
        return NULL;
    }
    if (has_slice(node->nic, send)) {
        return NULL; /* that it has left would free the buffer: of a slice that leaves only the message is told */
    }
    memcpy(node->bounce, get->from, get->len);
    node->counts.copied += get->len;
    node->bounced = send;
    return node->bounce;
}

//= ICPT-112
//= ICPT-298
static bool post_blocks(struct intercept_node *node, struct intercept_peer *peer, const struct intercept_send *send)
{
    unsigned char data[2 * (WIRE_INTERCEPT_BLOCK_MAX + 1)] = {0};
    size_t behind = wire_intercept_padded(send->first_len);
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_GET_EXT_REPLY,
                                         .key = send->key,
                                         .key_remaining = send->blocks_key,
                                         .first_length = send->first_len,
                                         .last_length = send->last_len,
                                         .data = data,
                                         .data_len = behind + send->last_len};

    if (send->first_len) {
        memcpy(data, send->first_from, send->first_len);
    }
    if (send->last_len) {
        memcpy(data + behind, send->last_from, send->last_len);
    }
    return intercept_control_post(node, peer, &frame);
}

void intercept_vdma_serve(struct intercept_node *node, struct intercept_peer *peer, struct intercept_send *send)
{
    while (send->get_count > 0) {
        const struct intercept_get *get = &send->gets[send->get_first];
        struct intercept_slice slice = {.destination = peer->iuca,
                                        .channel = get->channel,
                                        .window_start = get->window_start,
                                        .len = get->len,
                                        .cookie = send};

        slice.from = aligned(node, send, get);
        if (!slice.from || !intercept_nic_slice(node->nic, &slice)) {
            break;
        }
        send->get_first = (send->get_first + 1) % WIRE_INTERCEPT_CHANNELS;
        send->get_count--;
    }
    if (send->owes_blocks && post_blocks(node, peer, send)) {
        send->owes_blocks = false;
    }
}

void intercept_node_slice_sent(struct intercept_node *node, void *cookie)
{
    if (node->bounced == cookie) {
        node->bounced = NULL;
    }
}

//= IW-48
//= ICPT-103
void intercept_vdma_ended(struct intercept_node *node, struct intercept_peer *peer,
                          const struct wire_intercept_frame *frame)
{
    struct intercept_send *send = send_keyed(peer, frame->key);

    if (!send || (send->vnic == 0) != (frame->message == WIRE_INTERCEPT_DONE)) {
        node->counts.unknown++;
        return;
    }
    intercept_send_close(node, send,
                         frame->status == WIRE_INTERCEPT_STATUS_OK || frame->status == WIRE_INTERCEPT_STATUS_NO_MATCH);
}

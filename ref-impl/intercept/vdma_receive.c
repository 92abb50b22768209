/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Long messages that arrive: what Portals wants of them is pulled by GETs, a slice each, up to four of them at a time.
 *
 *      memory      |..|================ middle =================|..|
 *                  first block                                  last block
 *                  GET_EXT_REPLY      slices by VDMA            GET_EXT_REPLY
 *
 * The middle begins and ends at a multiple of 32 octets here. A slice touches at most 256 pages at both ends: where
 * they lie differently in their pages, slices are shorter than a megabyte.
 */
#include "ref-impl/intercept/node_state.h"

enum { ALIGNMENT = 32 };

/* Octets of the slice that begins `at` octets into the middle. */
//= IW-45
//= ICPT-069
//= ICPT-070
//= ICPT-077
//= ICPT-078
//= ICPT-079
//= ICPT-080
//= ICPT-120
static uint32_t slice_len(const struct intercept_receive *receive, uint64_t at)
{
    uint64_t here = (uint64_t)(uintptr_t)receive->memory + receive->first_len + at;
    uint64_t there = receive->address + receive->first_len + at;
    uint64_t begins = here % ICPT_PAGE_OCTETS > there % ICPT_PAGE_OCTETS ? here : there;
    uint64_t room = ICPT_WINDOW_OCTETS - begins % ICPT_PAGE_OCTETS;

    room -= room % ALIGNMENT;
    return (uint32_t)(receive->middle - at < room ? receive->middle - at : room);
}

/* Divides the wanted octets. */
//= ICPT-111
//= ICPT-116
static void pull_plan(struct intercept_node *node, struct intercept_receive *receive)
{
    uint64_t ahead = (ALIGNMENT - (uintptr_t)receive->memory % ALIGNMENT) % ALIGNMENT;

    receive->first_len = (uint32_t)(ahead < receive->mlength ? ahead : receive->mlength);
    receive->last_len = (uint32_t)((receive->mlength - receive->first_len) % ALIGNMENT);
    receive->middle = receive->mlength - receive->first_len - receive->last_len;
    for (uint64_t at = 0; at < receive->middle; at += slice_len(receive, at)) {
        receive->slices++;
    }
    if (receive->first_len > 0 || receive->last_len > 0) {
        receive->blocks_key = ++node->last_key;
    }
}

//= ICPT-125
//= ICPT-127
//= ICPT-128
void intercept_pull_match(struct intercept_node *node, struct intercept_receive *receive,
                          const struct wire_intercept_frame *frame)
{
    struct intercept_arrival arrival = {
        .source = frame->source, .vnic = 0, .header = frame->data, .length = frame->match_length};

    receive->key = frame->key;
    receive->address = frame->address;
    if (!intercept_receive_begin(node, receive, &arrival, 0)) {
        return;
    }
    if (receive->mlength == 0) {
        intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_OK);
        receive->status = WIRE_INTERCEPT_STATUS_NO_MATCH;
        return;
    }
    pull_plan(node, receive);
}

//= IW-46
//= ICPT-095
//= ICPT-101
void intercept_pull_put(struct intercept_node *node, struct intercept_peer *peer,
                        const struct wire_intercept_frame *frame)
{
    struct intercept_arrival arrival = {.source = frame->source, .vnic = 0, .length = frame->put_length};
    struct intercept_receive *receive = peer->puts;

    while (receive < peer->puts + ICPT_PUTS && receive->kind != ICPT_FREE) {
        receive++;
    }
    if (receive == peer->puts + ICPT_PUTS) {
        node->counts.unknown++; /* more at a time than one who keeps the rules begins */
        return;
    }
    *receive = (struct intercept_receive){.kind = ICPT_PUT, .peer = peer, .key = frame->key, .address = frame->address};
    peer->busy++;
    if (!intercept_receive_begin(node, receive, &arrival, 0)) {
        return;
    }
    if (receive->mlength == 0) {
        intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_UNKNOWN);
        return;
    }
    pull_plan(node, receive);
}

/* A channel that nobody has; WIRE_INTERCEPT_CHANNELS: there is none. */
//= ICPT-066
static unsigned free_channel(const struct intercept_node *node)
{
    unsigned channel = 0;

    while (channel < WIRE_INTERCEPT_CHANNELS && node->owners[channel]) {
        channel++;
    }
    return channel;
}

/* The first GET asks for the blocks too. */
//= IW-44
//= ICPT-113
//= ICPT-114
static void ask_blocks(const struct intercept_receive *receive, struct wire_intercept_frame *frame)
{
    frame->key_remaining = receive->blocks_key;
    frame->first_block_length = receive->first_len;
    frame->first_block_addr = receive->first_len ? receive->address : 0;
    frame->last_block_length = receive->last_len;
    frame->last_block_addr = receive->last_len ? receive->address + receive->mlength - receive->last_len : 0;
}

/* Asks for the next slice, or for the blocks alone. False: not now, or all has been asked for. */
//= ICPT-096
//= ICPT-099
//= ICPT-296
static bool pull_ask(struct intercept_node *node, struct intercept_receive *receive)
{
    bool has_slice = receive->asked < receive->middle;
    unsigned channel = has_slice ? free_channel(node) : 0;
    uint32_t len = has_slice ? slice_len(receive, receive->asked) : 0;
    unsigned char *memory = receive->memory + receive->first_len + receive->asked;
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_GET,
                                         .key = receive->key,
                                         .channel_granted = channel,
                                         .slice = receive->slices_asked,
                                         .slices = receive->slices ? receive->slices : 1,
                                         .window_start =
                                             has_slice ? (uint32_t)((uintptr_t)memory % ICPT_PAGE_OCTETS) : 0,
                                         .address = receive->address + receive->first_len + receive->asked,
                                         .slice_length = len};

    if (channel == WIRE_INTERCEPT_CHANNELS || (!has_slice && (receive->slices_asked > 0 || receive->blocks_key == 0))) {
        return false;
    }
    if (receive->slices_asked == 0) {
        ask_blocks(receive, &frame);
    }
    if (!intercept_control_post(node, receive->peer, &frame)) {
        return false;
    }
    if (has_slice) {
        intercept_channel_open(&node->nic->channels[channel], memory, frame.window_start, len, receive->peer->iuca,
                               receive);
        node->owners[channel] = receive;
    }
    receive->asked += len;
    receive->slices_asked++;
    return true;
}

//= ICPT-119
static void pull_judge(struct intercept_node *node, struct intercept_receive *receive)
{
    if (receive->slices_done == receive->slices && receive->blocks_key == 0 && !receive->is_over) {
        intercept_receive_close(node, receive, WIRE_INTERCEPT_STATUS_OK);
    }
}

//= ICPT-098
void intercept_pull_channel(struct intercept_node *node, unsigned channel)
{
    struct intercept_receive *receive = node->owners[channel];

    intercept_channel_close(&node->nic->channels[channel]);
    node->owners[channel] = NULL;
    if (receive) {
        receive->slices_done++;
        pull_judge(node, receive);
    }
}

static struct intercept_receive *pull_keyed(struct intercept_peer *peer, uint64_t blocks_key)
{
    for (unsigned i = 0; i < ICPT_OPEN_MAX + ICPT_PUTS; i++) {
        struct intercept_receive *receive = i < ICPT_OPEN_MAX ? &peer->receives[i] : &peer->puts[i - ICPT_OPEN_MAX];

        if (receive->kind != ICPT_FREE && blocks_key != 0 && receive->blocks_key == blocks_key) {
            return receive;
        }
    }
    return NULL;
}

//= IW-47
//= ICPT-115
void intercept_pull_blocks(struct intercept_node *node, struct intercept_peer *peer,
                           const struct wire_intercept_frame *frame)
{
    struct intercept_receive *receive = pull_keyed(peer, frame->key_remaining);

    if (!receive || frame->first_length != receive->first_len || frame->last_length != receive->last_len ||
        receive->slices_asked == 0) {
        node->counts.unknown++;
        return;
    }
    if (receive->first_len > 0) {
        node->library->receive(node->portals, receive->token, 0, frame->data, receive->first_len);
    }
    if (receive->last_len > 0) {
        node->library->receive(node->portals, receive->token, receive->mlength - receive->last_len,
                               frame->data + wire_intercept_padded(receive->first_len), receive->last_len);
    }
    receive->blocks_key = 0;
    pull_judge(node, receive);
}

void intercept_node_write(struct intercept_node *node, void *token, unsigned char *to, const unsigned char *octets,
                          size_t len)
{
    const struct intercept_receive *receive = token;

    node->library->receive(node->portals, receive->token, (uint64_t)(to - receive->memory), octets, len);
}

//= ICPT-102
//= ICPT-126
//= ICPT-297
void intercept_pull_go(struct intercept_node *node, struct intercept_receive *receive)
{
    bool is_match = receive->kind == ICPT_MATCH;
    bool is_good = receive->status == WIRE_INTERCEPT_STATUS_OK;
    struct wire_intercept_frame frame = {.message = is_match ? WIRE_INTERCEPT_MATCH_REPLY : WIRE_INTERCEPT_DONE,
                                         .key = receive->key,
                                         .status = receive->status,
                                         .mlength = is_match && is_good ? receive->mlength : 0};

    while (!receive->is_over && pull_ask(node, receive)) {
    }
    if (receive->is_over && intercept_control_post(node, receive->peer, &frame)) {
        intercept_receive_free(receive);
    }
}

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Putting messages together; see message.h. Nothing here judges: a packet that does not fit its message is left out.
 */
#include "dissector/intercept/message.h"

#include <epan/wmem_scopes.h>

#include <string.h>

enum { PACKET_DATA = 480 };
#define OCTETS_MAX (UINT64_C(64) << 20) /* of a message that is put together */

enum table { SHORT_ONES, LONG_ONES, CHANNELS };

/* What a channel of a receiver waits for. */
struct slice {
    struct icpt_message *message;
    uint64_t offset, start, len; /* in the message; in the window; octets */
};

static wmem_tree_t *known;

static void cleanup(void)
{
    known = NULL; /* its memory goes with the file */
}

void message_register(void)
{
    register_cleanup_routine(cleanup);
}

/* Puts `value` under the key, or finds what is there (value NULL). */
static void *entry(enum table table, uint16_t from, uint16_t to, uint64_t number, void *value)
{
    guint32 words[4] = {(guint32)table, (guint32)from << 16 | to, (guint32)(number >> 32), (guint32)number};
    wmem_tree_key_t key[] = {{4, words}, {0, NULL}};

    known = known ? known : wmem_tree_new(wmem_file_scope());
    if (value) {
        wmem_tree_insert32_array(known, key, value);
        return value;
    }
    return wmem_tree_lookup32_array(known, key);
}

static void store(struct icpt_message *message, uint64_t offset, const unsigned char *octets, size_t len)
{
    if (message->octets && offset <= message->wanted && len <= message->wanted - offset) {
        memcpy(message->octets + offset, octets, len);
    }
    message->received += len;
}

static void want(struct icpt_message *message, uint64_t octets)
{
    message->wanted = octets;
    if (octets > 0 && octets <= OCTETS_MAX) {
        unsigned char *room = wmem_alloc0(wmem_file_scope(), (size_t)octets);

        if (message->octets) {
            memcpy(room, message->octets, (size_t)MIN(message->received, octets));
        }
        message->octets = room;
    }
}

static struct icpt_message *begin(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    struct icpt_message *message = wmem_new0(wmem_file_scope(), struct icpt_message);

    message->begun_in = pinfo->num;
    message->header_len = wire_intercept_portals_octets(frame->data, frame->data_len);
    memcpy(message->header, frame->data, message->header_len);
    return message;
}

static struct icpt_message *take_rts(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    struct icpt_message *message = begin(frame, pinfo);
    size_t len = frame->data_len - message->header_len;

    want(message, len);
    store(message, 0, frame->data + message->header_len, len);
    return entry(SHORT_ONES, frame->source, frame->destination, frame->message_number, message);
}

static struct icpt_message *take_try_match(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    struct icpt_message *message = begin(frame, pinfo);

    message->is_long = true;
    message->address = frame->address;
    want(message, frame->match_length);
    return entry(LONG_ONES, frame->source, frame->destination, frame->key, message);
}

static struct icpt_message *take_data(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    struct icpt_message *message = entry(SHORT_ONES, frame->source, frame->destination, frame->message_number, NULL);

    if (message) {
        uint64_t first = WIRE_INTERCEPT_RTS_ROOM - message->header_len; /* octets in the RTS */

        store(message, first + (uint64_t)frame->packet_number * PACKET_DATA, frame->data, frame->data_len);
        if (message->received == message->wanted) {
            message->complete_in = pinfo->num;
        }
    }
    return message;
}

/* CTS, NEXT_CTS, MSGEND, MSGERROR: from the receiver. */
static struct icpt_message *take_answer(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    struct icpt_message *message = entry(SHORT_ONES, frame->destination, frame->source, frame->message_number, NULL);

    if (message && frame->message == WIRE_INTERCEPT_CTS && frame->mlength > message->wanted) {
        want(message, frame->mlength);
    }
    if (message && frame->message == WIRE_INTERCEPT_MSGEND && !message->complete_in) {
        message->complete_in = pinfo->num;
    }
    return message;
}

static struct icpt_message *take_get(const struct wire_intercept_frame *frame)
{
    struct icpt_message *message = entry(LONG_ONES, frame->destination, frame->source, frame->key, NULL);

    if (message && frame->last_block_length) {
        message->last_at = frame->last_block_addr - message->address;
    }
    if (message && frame->slice_length) {
        struct slice *slice = wmem_new0(wmem_file_scope(), struct slice);

        *slice = (struct slice){message, frame->address - message->address, frame->window_start, frame->slice_length};
        entry(CHANNELS, frame->source, 0, frame->channel_granted, slice);
    }
    return message;
}

static struct icpt_message *take_vdma(const struct wire_intercept_frame *frame)
{
    struct slice *slice = entry(CHANNELS, frame->destination, 0, frame->channel, NULL);

    if (!slice) {
        return NULL;
    }
    if (frame->window_address >= slice->start && frame->window_address - slice->start < slice->len) {
        store(slice->message, slice->offset + frame->window_address - slice->start, frame->data, frame->data_len);
    }
    return slice->message;
}

static struct icpt_message *take_blocks(const struct wire_intercept_frame *frame)
{
    struct icpt_message *message = entry(LONG_ONES, frame->source, frame->destination, frame->key, NULL);
    size_t behind = wire_intercept_padded(frame->first_length);

    if (message && behind + frame->last_length <= frame->data_len) {
        store(message, 0, frame->data, frame->first_length);
        store(message, message->last_at, frame->data + behind, frame->last_length);
    }
    return message;
}

static struct icpt_message *take_reply(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    struct icpt_message *message = entry(LONG_ONES, frame->destination, frame->source, frame->key, NULL);

    if (message && !message->complete_in) {
        message->complete_in = pinfo->num;
        message->wanted = MIN(message->wanted, frame->mlength);
    }
    return message;
}

struct icpt_message *message_note(const struct wire_intercept_frame *frame, const packet_info *pinfo)
{
    switch ((int)frame->message) {
    case WIRE_INTERCEPT_RTS:
        return take_rts(frame, pinfo);
    case WIRE_INTERCEPT_TRY_MATCH:
        return take_try_match(frame, pinfo);
    case WIRE_INTERCEPT_DATA:
    case WIRE_INTERCEPT_STOP_DATA:
    case WIRE_INTERCEPT_LAST_DATA:
        return take_data(frame, pinfo);
    case WIRE_INTERCEPT_CTS:
    case WIRE_INTERCEPT_NEXT_CTS:
    case WIRE_INTERCEPT_MSGEND:
    case WIRE_INTERCEPT_MSGERROR:
        return take_answer(frame, pinfo);
    case WIRE_INTERCEPT_GET:
        return take_get(frame);
    case WIRE_INTERCEPT_VDMA_DATA:
        return take_vdma(frame);
    case WIRE_INTERCEPT_GET_EXT_REPLY:
        return take_blocks(frame);
    case WIRE_INTERCEPT_MATCH_REPLY:
        return take_reply(frame, pinfo);
    default:
        return NULL;
    }
}

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What belongs together; see dissector/impi/track.h. A message is found by its two processes and the source's request
 * (pk_srqid); where several have the same, the latest is meant. DATA belongs to a long message when one with that
 * request is not yet whole and has the same length, else it is a message of its own.
 */
#include "dissector/impi/track.h"

#include "dissector/common/kept.h"
#include "dissector/impi/channel.h"
#include "dissector/impi/fields.h"
#include "dissector/impi/note.h"

#include <epan/reassemble.h>
#include <epan/wmem_scopes.h>

static reassembly_table messages_table;
static struct kept messages = {.octets = sizeof(struct impi_message)};

static const fragment_items fragment_names = {
    &impi_fields_trees.fragment,
    &impi_fields_trees.fragments,
    &impi_fields_fragments.fragments,
    &impi_fields_fragments.fragment,
    &impi_fields_fragments.overlap,
    &impi_fields_fragments.overlap_conflict,
    &impi_fields_fragments.multiple_tails,
    &impi_fields_fragments.too_long,
    &impi_fields_fragments.error,
    &impi_fields_fragments.count,
    &impi_fields_fragments.reassembled_in,
    &impi_fields_fragments.reassembled_length,
    NULL,
    "packets",
};

void impi_track_register(void)
{
    reassembly_table_register(&messages_table, &addresses_ports_reassembly_table_functions);
}

static void asks(const struct impi_pdu *pdu, struct impi_exchange *exchange)
{
    exchange->request_frame = pdu->pinfo->num;
    exchange->request_time = pdu->pinfo->abs_ts;
    impi_note_extend(pdu->note)->exchange = exchange;
}

static void answers(const struct impi_pdu *pdu, struct impi_exchange *exchange)
{
    struct impi_more *more = impi_note_extend(pdu->note);

    exchange->answer_frame = pdu->pinfo->num;
    more->exchange = exchange;
    more->answers = true;
}

/* What a client says and what the server answers it with have the same kind, and a COLL the same label. */
static bool startup_key(const struct wire_impi_command *command, gint64 *key)
{
    enum wire_impi_kind kind = command->kind == WIRE_IMPI_SAYS_CHOICE ? WIRE_IMPI_SAYS_AUTH : command->kind;

    *key = (gint64)kind << 32 | (uint32_t)(kind == WIRE_IMPI_SAYS_COLL ? command->label : 0);
    return kind == WIRE_IMPI_SAYS_AUTH || kind == WIRE_IMPI_SAYS_IMPI || kind == WIRE_IMPI_SAYS_COLL ||
           kind == WIRE_IMPI_SAYS_DONE;
}

void impi_track_startup(struct impi_pdu *pdu)
{
    struct impi_stream *stream = pdu->stream;
    struct impi_exchange *exchange;
    gint64 key;

    if (!startup_key(&pdu->command, &key)) {
        return;
    }
    if (!stream->exchanges) {
        stream->exchanges = wmem_map_new(wmem_file_scope(), g_int64_hash, g_int64_equal);
    }
    exchange = wmem_map_lookup(stream->exchanges, &key);
    if (impi_stream_direction(stream, pdu->way) == WIRE_IMPI_FROM_SERVER) {
        if (exchange && !exchange->answer_frame) {
            answers(pdu, exchange);
        }
        return;
    }
    exchange = wmem_new0(wmem_file_scope(), struct impi_exchange);
    wmem_map_insert(stream->exchanges, wmem_memdup(wmem_file_scope(), &key, sizeof key), exchange);
    asks(pdu, exchange);
}

/* The latest message of the packet's request, or NULL. Of one that nothing followed so far, little is kept. */
static struct impi_message *message_find(const struct impi_pdu *pdu, struct impi_pair *pair)
{
    struct impi_note *note = impi_requests_find(&pair->messages, pdu->packet.srqid);
    struct impi_more *more = note ? impi_note_extend(note) : NULL;

    if (more && !more->message) {
        more->message = wmem_new0(wmem_file_scope(), struct impi_message);
        more->message->first_frame = note->packet;
    }
    return more ? more->message : NULL;
}

/* A message that is acknowledged, and may be long. */
static struct impi_message *message_make(struct impi_pdu *pdu)
{
    struct impi_message *message = kept_add(&messages, pdu->pinfo->num);

    message->id = messages.count;
    message->srqid = pdu->packet.srqid;
    message->octets = pdu->packet.msglen;
    message->so_far = pdu->packet.len;
    message->sync = wmem_new0(wmem_file_scope(), struct impi_exchange);
    impi_note_extend(pdu->note)->message = message;
    asks(pdu, message->sync);
    return message;
}

/* The packet's place in its long message, and the link from the packet before. */
static void part_note(struct impi_pdu *pdu, struct impi_pair *pair, struct impi_message *message, bool follows)
{
    struct impi_part *part = wmem_new(wmem_file_scope(), struct impi_part);
    struct impi_part *before = follows ? wmem_map_lookup(pair->parts, &message->srqid) : NULL;

    *part = (struct impi_part){.message = message,
                               .offset = message->so_far - pdu->packet.len,
                               .follows = follows,
                               .completes = message->so_far == message->octets};
    impi_note_extend(pdu->note)->part = part;
    if (before && before->message == message) {
        before->next_frame = pdu->pinfo->num;
    }
    wmem_map_insert(pair->parts, &message->srqid, part);
}

/* Whether the packet goes on with a long message. */
static bool goes_on(const struct impi_pdu *pdu, const struct impi_message *message)
{
    return pdu->packet.type == WIRE_IMPI_DATA && message && message->sync && message->so_far < message->octets &&
           message->octets == pdu->packet.msglen;
}

static void data_note(struct impi_pdu *pdu)
{
    struct impi_pair *pair = impi_channel_pair(pdu->stream, &pdu->packet, false);
    const struct impi_note *latest = pair->open ? impi_requests_find(&pair->messages, pdu->packet.srqid) : NULL;
    struct impi_message *message = impi_note_more(latest)->message;

    if (goes_on(pdu, message)) {
        impi_note_extend(pdu->note)->message = message;
        message->so_far += pdu->packet.len;
        pair->open -= message->so_far >= message->octets;
        part_note(pdu, pair, message, true);
        return;
    }
    impi_requests_add(&pair->messages, pdu->packet.srqid);
    if (pdu->packet.type == WIRE_IMPI_DATASYNC) {
        message = message_make(pdu);
        if (message->so_far < message->octets) {
            pair->open++;
            part_note(pdu, pair, message, false);
        }
    }
}

static void syncack_note(struct impi_pdu *pdu)
{
    struct impi_pair *pair = impi_channel_pair(pdu->stream, &pdu->packet, true);
    struct impi_message *message = message_find(pdu, pair);

    if (message && message->sync && !message->synced) {
        message->synced = true;
        impi_note_extend(pdu->note)->message = message;
        answers(pdu, message->sync);
    }
}

static void cancel_note(struct impi_pdu *pdu)
{
    struct impi_pair *pair = impi_channel_pair(pdu->stream, &pdu->packet, false);
    struct impi_exchange *exchange = wmem_new0(wmem_file_scope(), struct impi_exchange);
    struct impi_message *message = message_find(pdu, pair);
    uint64_t *srqid = &pdu->packet.srqid;
    wmem_list_t *waiting = wmem_map_lookup(pair->cancels, srqid);

    asks(pdu, exchange);
    if (message) {
        message->cancel_frame = pdu->pinfo->num;
    }
    impi_note_extend(pdu->note)->message = message;
    if (!waiting) {
        waiting = wmem_list_new(wmem_file_scope());
        wmem_map_insert(pair->cancels, wmem_memdup(wmem_file_scope(), srqid, sizeof *srqid), waiting);
    }
    wmem_list_append(waiting, exchange);
}

static void reply_note(struct impi_pdu *pdu)
{
    struct impi_pair *pair = impi_channel_pair(pdu->stream, &pdu->packet, true);
    wmem_list_t *waiting = wmem_map_lookup(pair->cancels, &pdu->packet.srqid);
    wmem_list_frame_t *oldest = waiting ? wmem_list_head(waiting) : NULL;

    impi_note_extend(pdu->note)->message = message_find(pdu, pair);
    if (oldest) {
        answers(pdu, wmem_list_frame_data(oldest));
        wmem_list_remove_frame(waiting, oldest);
    }
}

void impi_track_packet(struct impi_pdu *pdu)
{
    switch ((enum wire_impi_type)pdu->packet.type) {
    case WIRE_IMPI_DATA:
    case WIRE_IMPI_DATASYNC:
        data_note(pdu);
        return;
    case WIRE_IMPI_SYNCACK:
        syncack_note(pdu);
        return;
    case WIRE_IMPI_CANCEL:
        cancel_note(pdu);
        return;
    case WIRE_IMPI_CANCELYES:
    case WIRE_IMPI_CANCELNO:
        reply_note(pdu);
        return;
    case WIRE_IMPI_PROTOACK:
    case WIRE_IMPI_FINI:
        return;
    }
}

static void show_frame(const struct impi_pdu *pdu, int hf, uint32_t frame)
{
    if (frame) {
        proto_item_set_generated(proto_tree_add_uint(pdu->tree, hf, pdu->tvb, 0, 0, frame));
    }
}

static void show_exchange(const struct impi_pdu *pdu, const struct impi_exchange *exchange)
{
    nstime_t time;

    if (!impi_note_more(pdu->note)->answers) {
        show_frame(pdu, impi_fields_own.response_in, exchange->answer_frame);
        return;
    }
    show_frame(pdu, impi_fields_own.request_in, exchange->request_frame);
    nstime_delta(&time, &pdu->pinfo->abs_ts, &exchange->request_time);
    proto_item_set_generated(proto_tree_add_time(pdu->tree, impi_fields_own.time, pdu->tvb, 0, 0, &time));
}

void impi_track_show(const struct impi_pdu *pdu)
{
    const struct impi_more *more = impi_note_more(pdu->note);

    if (!pdu->tree) {
        return;
    }
    if (more->exchange) {
        show_exchange(pdu, more->exchange);
    }
    if (more->part && more->part->follows) {
        show_frame(pdu, impi_fields_own.first_in, more->part->message->first_frame);
    }
    show_frame(pdu, impi_fields_own.next_in, more->part ? more->part->next_frame : 0);
    if (more->message && pdu->form == IMPI_FORM_PACKET) {
        bool about = pdu->packet.type >= WIRE_IMPI_CANCEL && pdu->packet.type <= WIRE_IMPI_CANCELNO;

        show_frame(pdu, impi_fields_own.cancels, about ? more->message->first_frame : 0);
        show_frame(pdu, impi_fields_own.cancelled_in,
                   wire_impi_packet_has_data(pdu->packet.type) ? more->message->cancel_frame : 0);
    }
}

const nstime_t *impi_track_asked(const struct impi_pdu *pdu)
{
    const struct impi_more *more = impi_note_more(pdu->note);

    return more->exchange && more->answers ? &more->exchange->request_time : NULL;
}

tvbuff_t *impi_track_whole(const struct impi_pdu *pdu, uint32_t len, uint64_t limit)
{
    const struct impi_part *part = impi_note_more(pdu->note)->part;
    fragment_head *head;
    tvbuff_t *whole;

    if (!part || len == 0 || part->message->octets > limit || part->offset + len > part->message->octets) {
        return NULL;
    }
    head = fragment_add_check(&messages_table, pdu->tvb, (int)pdu->header_octets, pdu->pinfo, part->message->id, NULL,
                              (guint32)part->offset, len, !part->completes);
    whole = process_reassembled_data(pdu->tvb, (int)pdu->header_octets, pdu->pinfo, "Whole IMPI message", head,
                                     &fragment_names, NULL, pdu->tree);
    return part->completes ? whole : NULL;
}

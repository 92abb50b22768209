/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of long messages (check_own.h): connections and credits, TRY_MATCH and PUT, GETs with their slices and
 * blocks, the packets that fill the slices, the final answers.
 */
#include "wire/intercept/check_own.h"
#include "wire/octets/cursor.h"

static uint64_t both(uint16_t from, uint16_t to)
{
    return (uint64_t)from << 16 | to;
}

/* The transfer of a key between a data's sender and its receiver. */
static struct check_transfer *transfer_of(struct wire_intercept_check *check, uint16_t from, uint16_t to, uint64_t key)
{
    struct wire_intercept_check_entry *entry = wire_icpt_find(check, CHECK_TRANSFER, both(from, to), key);

    return entry && !entry->of.transfer.is_over ? &entry->of.transfer : NULL;
}

static bool talks_since_before(struct wire_intercept_check *check, uint16_t from, uint16_t to)
{
    const struct check_pair *pair = wire_icpt_pair_of(check, from, to);

    check->in_vain = check->in_vain || !pair || !pair->credited;
    return !pair || !pair->credited;
}

/* ---- credits ---- */

static void take_credit(struct wire_intercept_check *check, const struct wire_intercept_frame *frame)
{
    struct check_pair *pair = wire_icpt_pair_of(check, frame->destination, frame->source);

    if (pair) {
        pair->credited = true;
        pair->given += frame->amount;
    }
}

/* Whether cards have made themselves known again and not begun to talk, so that their credit may be that of old. */
static bool is_only_announced(const struct check_pair *pair, const struct check_pair *back)
{
    return pair->is_renewed && !pair->begun && !(back && back->begun);
}

static void use_credit(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    struct check_pair *pair = wire_icpt_pair_of(check, heard->frame.source, heard->frame.destination);
    const struct check_pair *back = wire_icpt_pair_of(check, heard->frame.destination, heard->frame.source);

    if (pair && ++pair->taken > pair->given && !is_only_announced(pair, back)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_NO_CREDIT);
        pair->taken = pair->given; /* tell it once for each that is too many */
    }
}

/* ---- transfers ---- */

static void begin_transfer(struct wire_intercept_check *check, const struct wire_intercept_frame *frame)
{
    bool is_put = frame->message == WIRE_INTERCEPT_PUT;
    struct wire_intercept_check_entry *entry =
        wire_icpt_make(check, CHECK_TRANSFER, both(frame->source, frame->destination), frame->key);

    if (entry) {
        entry->of.transfer = (struct check_transfer){.number = frame->message_number,
                                                     .address = frame->address,
                                                     .length = is_put ? frame->put_length : frame->match_length,
                                                     .is_put = is_put};
    }
}

bool wire_icpt_is_control(enum wire_intercept_message message)
{
    return message >= WIRE_INTERCEPT_CONNECT && message <= WIRE_INTERCEPT_UPD_CONN;
}

/* The physical rank of the process that the Portals header names as its initiator. */
static uint64_t rank_said(const struct wire_intercept_frame *frame)
{
    struct wire_reader reader = wire_reader_over(frame->data, frame->data_len);

    (void)wire_read_u32(&reader); /* the operation */
    uint64_t nid = wire_read_u32(&reader), pid = wire_read_u32(&reader);

    return (nid << 16) + pid;
}

void wire_icpt_rank(struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    bool names_process = frame->message == WIRE_INTERCEPT_TRY_MATCH;

    if (names_process ? frame->rank != rank_said(frame) : frame->rank >> 16 != frame->source) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_OTHER_RANK);
    }
}

static void take_try_match(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    struct check_message *message = wire_icpt_number(check, heard);

    if (message) {
        message->is_long = true;
        begin_transfer(check, &heard->frame);
    }
}

static void boot_answered(struct wire_intercept_check *check, const struct wire_intercept_frame *frame,
                          const struct check_transfer *transfer)
{
    struct check_pair *pair = wire_icpt_pair_of(check, frame->destination, frame->source);

    if (pair && !transfer->is_put && transfer->number == 0) {
        pair->answered = true;
    }
}

static void open_channel(struct wire_intercept_check *check, const struct wire_intercept_frame *frame)
{
    struct wire_intercept_check_entry *entry =
        wire_icpt_make(check, CHECK_CHANNEL, frame->source, frame->channel_granted % WIRE_INTERCEPT_CHANNELS);

    if (entry) {
        entry->of.channel = (struct check_channel){.is_busy = true,
                                                   .from = frame->destination,
                                                   .key = frame->key,
                                                   .start = frame->window_start,
                                                   .len = frame->slice_length};
    }
}

/* Whether octets at the sender are not all of the message. */
static bool is_beyond(const struct check_transfer *transfer, uint64_t address, uint64_t len)
{
    uint64_t offset = address - transfer->address;

    return len > 0 && (offset > transfer->length || len > transfer->length - offset);
}

static bool asks_beyond(const struct check_transfer *transfer, const struct wire_intercept_frame *frame)
{
    uint64_t octets = frame->slice_length + frame->first_block_length + frame->last_block_length;

    return transfer->asked + octets > transfer->length || is_beyond(transfer, frame->address, frame->slice_length) ||
           is_beyond(transfer, frame->first_block_addr, frame->first_block_length) ||
           is_beyond(transfer, frame->last_block_addr, frame->last_block_length);
}

static void take_get(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_transfer *transfer = transfer_of(check, frame->destination, frame->source, frame->key);
    uint64_t blocks = frame->first_block_length + frame->last_block_length;

    if (frame->slice_length) {
        open_channel(check, frame);
    }
    if (!transfer) {
        if (!talks_since_before(check, frame->source, frame->destination)) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_GET_OF_NOTHING);
        }
        return;
    }
    boot_answered(check, frame, transfer);
    if (asks_beyond(transfer, frame)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_GET_BEYOND);
    }
    if ((transfer->slices && transfer->slices != frame->slices) || transfer->slices_asked >= frame->slices) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_GET_SLICES);
    }
    transfer->slices = frame->slices;
    transfer->slices_asked++;
    transfer->asked += frame->slice_length + blocks;
    transfer->awaited += frame->slice_length;
    if (frame->key_remaining) {
        transfer->has_blocks = true;
        transfer->blocks_key = frame->key_remaining;
        transfer->first_len = frame->first_block_length;
        transfer->last_len = frame->last_block_length;
    }
}

static void take_blocks(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_transfer *transfer = transfer_of(check, frame->source, frame->destination, frame->key);

    if (!transfer || !transfer->has_blocks || transfer->has_reply) {
        if (!talks_since_before(check, frame->source, frame->destination)) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_BLOCKS_OF_NOTHING);
        }
        return;
    }
    transfer->has_reply = true;
    if (frame->key_remaining != transfer->blocks_key || frame->first_length != transfer->first_len ||
        frame->last_length != transfer->last_len) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_BLOCKS_DIFFER);
    }
}

/* Whether all that was asked for is there; also a MATCH_REPLY that takes nothing. */
static bool is_complete(const struct check_transfer *transfer)
{
    return transfer->moved >= transfer->awaited && transfer->slices_asked == transfer->slices &&
           transfer->has_blocks == transfer->has_reply;
}

/* Whether a MATCH_REPLY tells how much was taken. After an error that is not certain. */
static bool says_length(const struct wire_intercept_frame *frame, const struct check_transfer *transfer)
{
    bool known =
        frame->status == WIRE_INTERCEPT_STATUS_OK && is_complete(transfer) && transfer->asked <= transfer->length;

    return (!known || frame->mlength == transfer->asked) &&
           (frame->status != WIRE_INTERCEPT_STATUS_NO_MATCH || frame->mlength == 0);
}

static void take_reply(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_transfer *transfer = transfer_of(check, frame->destination, frame->source, frame->key);
    struct check_message *message;

    if (!transfer || transfer->is_put != (frame->message == WIRE_INTERCEPT_DONE)) {
        if (!talks_since_before(check, frame->source, frame->destination)) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_REPLY_OF_NOTHING);
        }
        return;
    }
    boot_answered(check, frame, transfer);
    if (frame->status == WIRE_INTERCEPT_STATUS_OK && !is_complete(transfer)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_REPLY_EARLY);
        wire_icpt_doubt(check, frame->destination, frame->source);
    }
    if (frame->message == WIRE_INTERCEPT_MATCH_REPLY && !says_length(frame, transfer)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_REPLY_LENGTH);
    }
    transfer->is_over = true;
    message = wire_icpt_message_of(check, frame->destination, frame->source, transfer->number);
    if (message && !transfer->is_put) {
        message->is_over = true;
    }
}

/* ---- the packets ---- */

static void take_slice_packet(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct wire_intercept_check_entry *entry =
        wire_icpt_find(check, CHECK_CHANNEL, frame->destination, frame->channel % WIRE_INTERCEPT_CHANNELS);
    struct check_channel *channel = entry ? &entry->of.channel : NULL;
    struct check_transfer *transfer;
    uint64_t taken;

    if (!channel || !channel->is_busy || channel->from != frame->source) {
        if ((channel && channel->is_busy) || !talks_since_before(check, frame->source, frame->destination)) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_SLICE_OF_NOTHING);
        }
        return;
    }
    if (frame->window_address < channel->start ||
        frame->window_address + (uint64_t)frame->length > channel->start + channel->len) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_SLICE_BEYOND);
        return;
    }
    taken = frame->length;
    if (taken > channel->len - channel->moved) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_SLICE_BEYOND);
        taken = channel->len - channel->moved; /* some came twice: it may have been the one that was missing */
    }
    channel->moved += taken;
    transfer = transfer_of(check, frame->source, frame->destination, channel->key);
    if (transfer) {
        transfer->moved += taken;
    }
}

void wire_icpt_vdma(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    enum wire_intercept_message message = heard->frame.message;

    if (message >= WIRE_INTERCEPT_GET && message <= WIRE_INTERCEPT_MATCH_REPLY) {
        use_credit(check, heard);
    }
    if (wire_icpt_is_control(message)) {
        wire_icpt_rank(heard);
    }
    switch ((int)message) {
    case WIRE_INTERCEPT_VDMA_DATA:
        take_slice_packet(check, heard);
        break;
    case WIRE_INTERCEPT_CREDIT:
        take_credit(check, &heard->frame);
        break;
    case WIRE_INTERCEPT_TRY_MATCH:
        take_try_match(check, heard);
        break;
    case WIRE_INTERCEPT_PUT:
        begin_transfer(check, &heard->frame);
        break;
    case WIRE_INTERCEPT_GET:
        take_get(check, heard);
        break;
    case WIRE_INTERCEPT_GET_EXT_REPLY:
        take_blocks(check, heard);
        break;
    case WIRE_INTERCEPT_MATCH_REPLY:
    case WIRE_INTERCEPT_DONE:
        take_reply(check, heard);
        break;
    default:
        break; /* connections, which rules.h judges; no control message */
    }
}

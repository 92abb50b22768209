/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of short messages (check_own.h): RTS, grants, data packets, the end. What a packet needs (an RTS that
 * asks, a grant) has come to its sender before and was seen before; packets of one sender may be seen in any order, so
 * nothing here depends on that.
 */
#include "wire/intercept/check_own.h"
#include "wire/octets/cursor.h"

/* Of the Portals header of a PUT, which says how long its message is (specs/portals-wire.md). */
enum { PUT = 1, TAGGED_PUT = 33, GETPUT = 40, PUT_LENGTH_AT = 68 };

/* Of a pair that talks since before the capture nothing is known. */
static bool is_begun(struct wire_intercept_check *check, uint16_t from, uint16_t to)
{
    const struct check_pair *pair = wire_icpt_pair_of(check, from, to);

    return pair && pair->begun;
}

/* Whether the Portals header says how long the data is that it brings. */
static bool brings_data(uint32_t operation)
{
    return operation == PUT || operation == TAGGED_PUT || operation == GETPUT;
}

/* Whether the Portals header of an RTS says how long its message is. */
static bool says_length(const struct wire_intercept_frame *frame, size_t header, uint64_t *length)
{
    struct wire_reader reader = wire_reader_over(frame->data, header);
    uint32_t operation = wire_read_u32(&reader);

    (void)wire_read_octets(&reader, PUT_LENGTH_AT - 4);
    *length = wire_read_u64(&reader);
    return brings_data(operation);
}

void wire_icpt_rts(struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    size_t header = wire_intercept_portals_octets(frame->data, frame->data_len);
    uint64_t room = WIRE_INTERCEPT_RTS_ROOM - header, length = 0;

    if (says_length(frame, header, &length) && frame->data_len - header != (length < room ? length : room)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_RTS_NOT_FULL);
    }
}

static void take_rts(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_message *message = wire_icpt_number(check, heard);
    size_t header = wire_intercept_portals_octets(frame->data, frame->data_len);
    uint64_t length = 0;

    if (message) {
        message->data = frame->data_len - header;
        message->room = WIRE_INTERCEPT_RTS_ROOM - header;
        message->length = says_length(frame, header, &length) ? length : 0;
        wire_icpt_rts(heard);
    }
}

static void boot_answered(struct wire_intercept_check *check, const struct wire_intercept_frame *frame)
{
    struct check_pair *pair = wire_icpt_pair_of(check, frame->destination, frame->source);

    if (pair && frame->message_number == 0) {
        pair->answered = true;
    }
}

/* The message to which a CTS, NEXT_CTS, MSGEND or MSGERROR belongs; tells when there is none. */
static struct check_message *answered(struct wire_intercept_check *check, struct wire_intercept_heard *heard,
                                      enum wire_intercept_violation of_nothing)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_message *message =
        wire_icpt_message_of(check, frame->destination, frame->source, frame->message_number);

    if (message && !message->is_over && !message->is_long) {
        return message;
    }
    if (is_begun(check, frame->destination, frame->source)) {
        wire_icpt_tell(heard, of_nothing);
    } else {
        check->in_vain = true;
    }
    return NULL;
}

static uint32_t packets_for(const struct check_message *message, uint64_t octets)
{
    return octets <= message->room ? 0
                                   : (uint32_t)((octets - message->room + CHECK_PACKET_DATA - 1) / CHECK_PACKET_DATA);
}

/* A CTS that wants more than there is may be discarded, or be served with what there is. */
static void doubt(struct check_message *message, uint32_t n)
{
    uint32_t packets = packets_for(message, message->length);

    message->doubtful = n < packets ? n : packets;
}

static void take_cts(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_message *message = answered(check, heard, WIRE_INTERCEPT_CTS_OF_NOTHING);

    boot_answered(check, frame);
    if (!message) {
        return;
    }
    if (message->has_cts) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_CTS_AGAIN);
        return;
    }
    if (message->length && frame->mlength > message->length) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_CTS_BEYOND);
        doubt(message, frame->n);
        return;
    }
    message->has_cts = true;
    if (message->data < message->room || frame->mlength <= message->room) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_CTS_LENGTH);
        return;
    }
    message->wanted = frame->mlength;
    message->packets = packets_for(message, frame->mlength);
    if (frame->n > CHECK_GRANT || frame->n > message->packets) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_GRANT_TOO_LARGE);
    }
    message->granted = frame->n;
}

static void take_next_cts(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_message *message = answered(check, heard, WIRE_INTERCEPT_CTS_OF_NOTHING);

    if (!message || message->packets == 0) {
        check->in_vain = message && !message->has_cts;
        return;
    }
    if (frame->n > CHECK_GRANT || message->granted >= message->packets ||
        frame->n > message->packets - message->granted) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_GRANT_TOO_LARGE);
        return;
    }
    message->granted += frame->n;
}

/* Beyond so many data packets they are not told apart. */
static bool is_marked(const struct check_message *message, uint32_t number)
{
    return number < CHECK_PACKETS && (message->seen[number / 64] >> number % 64 & 1);
}

/* Marks a data packet. False: it has been seen before. */
static bool mark(struct check_message *message, uint32_t number)
{
    if (is_marked(message, number)) {
        return false;
    }
    if (number < CHECK_PACKETS) {
        message->seen[number / 64] |= UINT64_C(1) << number % 64;
    }
    message->count++;
    return true;
}

/* Whether a data packet may have been sent before its sender knew that the message is over. */
static bool may_cross(const struct check_message *message, uint32_t number)
{
    return number < message->granted && message->count < message->packets && !is_marked(message, number);
}

static void judge_data(const struct check_message *message, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    uint64_t offset = message->room + (uint64_t)frame->packet_number * CHECK_PACKET_DATA;
    uint64_t left = message->wanted - offset;
    enum wire_intercept_message due = WIRE_INTERCEPT_DATA;

    if (frame->data_len != (left < CHECK_PACKET_DATA ? left : CHECK_PACKET_DATA)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_DATA_LENGTH);
    }
    if (frame->packet_number + 1 == message->packets) {
        due = WIRE_INTERCEPT_LAST_DATA;
    } else if (frame->packet_number + 1 == message->granted) {
        due = WIRE_INTERCEPT_STOP_DATA;
    }
    if (frame->message != due) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_DATA_TYPE);
    }
}

static void take_data(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_message *message =
        wire_icpt_message_of(check, frame->source, frame->destination, frame->message_number);

    if (!message || message->is_long || (message->is_over && !may_cross(message, frame->packet_number))) {
        if (is_begun(check, frame->source, frame->destination)) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_DATA_OF_NOTHING);
        } else {
            check->in_vain = true;
        }
    } else if (frame->packet_number >= message->granted) {
        if (frame->packet_number >= message->doubtful) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_DATA_NOT_GRANTED);
        }
    } else if (!mark(message, frame->packet_number)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_DATA_AGAIN);
    } else {
        heard->late = frame->packet_number < message->top;
        message->top = frame->packet_number > message->top ? frame->packet_number : message->top;
        judge_data(message, heard);
    }
}

/* A receiver may want no more of a message at any time. But where the last data packet has come and others have not, he
 * has taken that one for the end. */
static bool is_early(const struct check_message *message)
{
    return message->count > 0 && message->count < message->packets && message->top + 1 == message->packets;
}

static void take_end(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct check_message *message = answered(check, heard, WIRE_INTERCEPT_END_OF_NOTHING);

    boot_answered(check, frame);
    if (!message) {
        return;
    }
    message->is_over = true;
    if (frame->message == WIRE_INTERCEPT_MSGEND && is_early(message)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_END_EARLY);
        wire_icpt_doubt(check, frame->destination, frame->source);
    }
}

void wire_icpt_rmpp(struct wire_intercept_check *check, struct wire_intercept_heard *heard)
{
    switch ((int)heard->frame.message) {
    case WIRE_INTERCEPT_RTS:
        take_rts(check, heard);
        break;
    case WIRE_INTERCEPT_CTS:
        take_cts(check, heard);
        break;
    case WIRE_INTERCEPT_NEXT_CTS:
        take_next_cts(check, heard);
        break;
    case WIRE_INTERCEPT_DATA:
    case WIRE_INTERCEPT_STOP_DATA:
    case WIRE_INTERCEPT_LAST_DATA:
        take_data(check, heard);
        break;
    case WIRE_INTERCEPT_MSGEND:
    case WIRE_INTERCEPT_MSGERROR:
        take_end(check, heard);
        break;
    default:
        break; /* no RMPP */
    }
}

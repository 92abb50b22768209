/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which call caused a frame; see replay_cause.h. The newest message that fits is taken: numbers and keys may come again
 * after long.
 */
#include "tester/capture/replay_cause.h"

#include "wire/portals/messages.h"

/* The call that a Portals header tells, and who made it: who asks, not who answers. */
static void call_of(const struct wire_intercept_frame *frame, struct replay_cause *cause)
{
    struct wire_portals_header header;
    bool is_answer = false;

    cause->call = "a Portals call";
    if (wire_portals_decode(frame->data, frame->data_len, &header, NULL, NULL) == WIRE_OK) {
        switch (header.operation) {
        case WIRE_PORTALS_PUT:
            cause->call = "PtlPut";
            break;
        case WIRE_PORTALS_ACK:
            cause->call = "PtlPut with PTL_ACK_REQ, which this acknowledges";
            is_answer = true;
            break;
        case WIRE_PORTALS_GET:
            cause->call = "PtlGet";
            break;
        case WIRE_PORTALS_GETPUT:
            cause->call = "PtlGetPut";
            break;
        case WIRE_PORTALS_REPLY:
            cause->call = "PtlGet, which this answers";
            is_answer = true;
            break;
        case WIRE_PORTALS_BARRIER:
            cause->call = "PtlNIBarrier";
            break;
        default:
            break;
        }
        cause->octets = is_answer ? header.mlength : header.rlength;
    }
    cause->caller = is_answer ? cause->receiver : cause->sender;
    cause->other = is_answer ? cause->sender : cause->receiver;
}

static int cause_add(struct replay_causes *causes, const struct replay_cause *cause)
{
    if (causes->count == REPLAY_CAUSES_MAX) {
        return REPLAY_CAUSE_NONE;
    }
    causes->all[causes->count] = *cause;
    return causes->count++;
}

/* The newest message from one to the other with that number, or where `is_long` that key. */
static int cause_find(const struct replay_causes *causes, uint16_t sender, uint16_t receiver, bool is_long, uint64_t id)
{
    int found = causes->count - 1;

    while (found >= 0 && (causes->all[found].sender != sender || causes->all[found].receiver != receiver ||
                          causes->all[found].begins || causes->all[found].is_long != is_long ||
                          (is_long ? causes->all[found].key : causes->all[found].number) != id)) {
        found--;
    }
    return found;
}

static int cause_begin(struct replay_causes *causes, const struct wire_intercept_heard *heard, bool is_long)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    uint64_t id = is_long ? frame->key : frame->message_number;
    int known = cause_find(causes, frame->source, frame->destination, is_long, id);
    struct replay_cause cause = {.sender = frame->source,
                                 .receiver = frame->destination,
                                 .number = frame->message_number,
                                 .key = frame->key,
                                 .is_long = is_long};

    if (known >= 0) {
        return known; /* the same on its next cable, or sent again */
    }
    call_of(frame, &cause);
    return cause_add(causes, &cause);
}

static int card_begin(struct replay_causes *causes, uint16_t iuca)
{
    for (int i = 0; i < causes->count; i++) {
        if (causes->all[i].begins && causes->all[i].caller == iuca) {
            return i;
        }
    }
    return cause_add(causes, &(struct replay_cause){.call = "PtlInit", .caller = iuca, .other = iuca, .begins = true});
}

/* A GET names the message by its key, and the channel that its slice will fill. */
static int get_take(struct replay_causes *causes, const struct wire_intercept_frame *frame)
{
    int cause = cause_find(causes, frame->destination, frame->source, true, frame->key);
    unsigned at = causes->get_count++ % REPLAY_GETS;

    causes->gets[at].receiver = frame->source;
    causes->gets[at].channel = (uint16_t)frame->channel_granted;
    causes->gets[at].cause = cause;
    return cause;
}

static int slice_take(const struct replay_causes *causes, const struct wire_intercept_frame *frame)
{
    unsigned count = causes->get_count < REPLAY_GETS ? causes->get_count : REPLAY_GETS;

    for (unsigned back = 1; back <= count; back++) {
        unsigned at = (causes->get_count - back) % REPLAY_GETS;

        if (causes->gets[at].receiver == frame->destination && causes->gets[at].channel == frame->channel) {
            return causes->gets[at].cause;
        }
    }
    return REPLAY_CAUSE_NONE;
}

int replay_cause_of(struct replay_causes *causes, const struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;

    if (heard->announces) {
        return card_begin(causes, frame->source);
    }
    switch ((int)frame->message) {
    case WIRE_INTERCEPT_RTS:
    case WIRE_INTERCEPT_TRY_MATCH:
        return cause_begin(causes, heard, frame->message == WIRE_INTERCEPT_TRY_MATCH);
    case WIRE_INTERCEPT_DATA:
    case WIRE_INTERCEPT_STOP_DATA:
    case WIRE_INTERCEPT_LAST_DATA:
        return cause_find(causes, frame->source, frame->destination, false, frame->message_number);
    case WIRE_INTERCEPT_CTS:
    case WIRE_INTERCEPT_NEXT_CTS:
    case WIRE_INTERCEPT_MSGEND:
    case WIRE_INTERCEPT_MSGERROR:
        return cause_find(causes, frame->destination, frame->source, false, frame->message_number);
    case WIRE_INTERCEPT_GET:
        return get_take(causes, frame);
    case WIRE_INTERCEPT_MATCH_REPLY:
        return cause_find(causes, frame->destination, frame->source, true, frame->key);
    case WIRE_INTERCEPT_GET_EXT_REPLY:
        return cause_find(causes, frame->source, frame->destination, true, frame->key);
    case WIRE_INTERCEPT_VDMA_DATA:
        return slice_take(causes, frame);
    default:
        return REPLAY_CAUSE_NONE;
    }
}

bool replay_cause_adopts(const struct replay_cause *cause, const struct wire_intercept_frame *frame)
{
    bool is_connection = frame->message == WIRE_INTERCEPT_UPD_CONN || frame->message == WIRE_INTERCEPT_CREDIT;

    return is_connection && cause->is_long &&
           ((frame->source == cause->sender && frame->destination == cause->receiver) ||
            (frame->source == cause->receiver && frame->destination == cause->sender));
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A capture of the Intercept network as steps; see replay.h. A card is known by the packet with which it announces
 * itself on each plane (IW-52); the other end of its cable is the switch, or another card.
 */
#include "tester/capture/replay.h"

#include "tester/base/memory.h"
#include "tester/capture/read.h"
#include "tester/capture/replay_cause.h"
#include "wire/octets/print.h"
#include "wire/portals/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CABLES_MAX = REPLAY_CARDS_MAX * 4, ENTRIES = 8192, VALUE_ROOM = 512, UP = 0, DOWN = 1 };

/* A card's end of a cable. */
struct cable {
    struct wire_end end;
    int card;
    struct replay_side sides[2];
};

/* struct step is what later steps need of one; the rest is in the JSON. */
struct step {
    struct wire_intercept_frame frame; /* its `data` is gone */
    int cause, answers;                /* the step that a link's answer is about, or -1 */
};

struct replay {
    struct cable cables[CABLES_MAX];
    int cable_count;
    struct {
        uint16_t iuca;
        uint32_t rank; /* plus one; 0: not known */
    } cards[REPLAY_CARDS_MAX];
    int card_count;
    struct replay_causes causes;
    struct wire_intercept_check check;
    void *memory;
    struct step steps[REPLAY_STEPS_MAX];
    int step_count;
    json_int_t left_out;
    int64_t begun_ns;
    json_t *json; /* the steps */
};

/* Which requirement of intercept-1.0 explains a message. */
static const char *const explains[WIRE_INTERCEPT_COUNT] = {
    [WIRE_INTERCEPT_VDMA_DATA] = "ICPT-097",
    [WIRE_INTERCEPT_SHORT_MESSAGE] = "ICPT-106",
    [WIRE_INTERCEPT_CREDIT] = "ICPT-092",
    [WIRE_INTERCEPT_LINK_ACKNOWLEDGE] = "ICPT-007",
    [WIRE_INTERCEPT_LINK_RETRANSMIT] = "ICPT-008",
    [WIRE_INTERCEPT_RTS] = "ICPT-159",
    [WIRE_INTERCEPT_CTS] = "ICPT-157",
    [WIRE_INTERCEPT_NEXT_CTS] = "ICPT-146",
    [WIRE_INTERCEPT_DATA] = "ICPT-147",
    [WIRE_INTERCEPT_STOP_DATA] = "ICPT-148",
    [WIRE_INTERCEPT_LAST_DATA] = "ICPT-149",
    [WIRE_INTERCEPT_MSGEND] = "ICPT-150",
    [WIRE_INTERCEPT_MSGERROR] = "ICPT-151",
    [WIRE_INTERCEPT_CONNECT] = "ICPT-123",
    [WIRE_INTERCEPT_REFUSE] = "ICPT-094",
    [WIRE_INTERCEPT_GET] = "ICPT-096",
    [WIRE_INTERCEPT_PUT] = "ICPT-101",
    [WIRE_INTERCEPT_DONE] = "ICPT-102",
    [WIRE_INTERCEPT_GET_EXT_REPLY] = "ICPT-112",
    [WIRE_INTERCEPT_TRY_MATCH] = "ICPT-124",
    [WIRE_INTERCEPT_MATCH_REPLY] = "ICPT-126",
    [WIRE_INTERCEPT_UPD_CONN] = "ICPT-121",
};

/* ---- cards and cables ---- */

static int cable_find(const struct replay *replay, const struct wire_end *end)
{
    int found = replay->cable_count - 1;

    while (found >= 0 && !wire_end_same(&replay->cables[found].end, end)) {
        found--;
    }
    return found;
}

static int card_find(const struct replay *replay, uint16_t iuca)
{
    int found = replay->card_count - 1;

    while (found >= 0 && replay->cards[found].iuca != iuca) {
        found--;
    }
    return found;
}

/* A card announces itself: its end is known from now on. */
static int cable_add(struct replay *replay, const struct wire_end *end, uint16_t iuca)
{
    int card = card_find(replay, iuca);

    if (card < 0 && replay->card_count < REPLAY_CARDS_MAX) {
        card = replay->card_count++;
        replay->cards[card].iuca = iuca;
    }
    if (card < 0 || replay->cable_count == CABLES_MAX) {
        return -1;
    }
    replay->cables[replay->cable_count].end = *end;
    replay->cables[replay->cable_count].card = card;
    return replay->cable_count++;
}

static bool is_announcement(const struct wire_segment *datagram, uint16_t *iuca)
{
    struct wire_intercept_frame frame;

    if (wire_intercept_decode(datagram->data, datagram->len, &frame, NULL) != WIRE_OK ||
        frame.message != WIRE_INTERCEPT_SHORT_MESSAGE || frame.source != frame.destination || frame.length != 0) {
        return false;
    }
    *iuca = frame.source;
    return true;
}

/* The cable of a datagram, and its direction; -1: of none that is known. */
static int cable_of(struct replay *replay, const struct wire_segment *datagram, unsigned *side)
{
    int cable = cable_find(replay, &datagram->from);
    uint16_t iuca;

    *side = UP;
    if (cable >= 0) {
        return cable;
    }
    cable = cable_find(replay, &datagram->to);
    if (cable >= 0) {
        *side = DOWN;
        return cable;
    }
    return is_announcement(datagram, &iuca) ? cable_add(replay, &datagram->from, iuca) : -1;
}

/* Whose card it is, from a Portals header that its process has made. */
static void card_name(struct replay *replay, const struct wire_intercept_frame *frame)
{
    struct wire_portals_header header;
    int card = card_find(replay, frame->source);

    if (card >= 0 && (frame->message == WIRE_INTERCEPT_RTS || frame->message == WIRE_INTERCEPT_TRY_MATCH) &&
        wire_portals_decode(frame->data, frame->data_len, &header, NULL, NULL) == WIRE_OK &&
        header.initiator.nid == frame->source && header.initiator.rid != WIRE_PORTALS_ID_UNKNOWN) {
        replay->cards[card].rank = header.initiator.rid + 1;
    }
}

/* ---- what a step shows ---- */

static void add_rows(json_t *fields, const struct wire_message *message, const unsigned char *octets, size_t len)
{
    for (unsigned i = 0; i < message->row_count; i++) {
        char value[VALUE_ROOM] = "";
        struct wire_text text = wire_text_over(value, sizeof value);

        wire_print_row(&text, &message->rows[i], octets, len);
        if (!text.failed) {
            json_array_append_new(fields, json_pack("[ss]", message->rows[i].label, value));
        }
    }
}

/* The frame's own fields, then those of the Portals header that it carries. */
static json_t *fields_of(const struct wire_intercept_heard *heard, const struct wire_segment *datagram)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    json_t *fields = json_array();
    struct wire_portals_header header;

    if (heard->condition != WIRE_INTERCEPT_SOUND) {
        return fields;
    }
    add_rows(fields, &wire_intercept_messages[frame->message], datagram->data, datagram->len);
    if ((frame->message == WIRE_INTERCEPT_RTS || frame->message == WIRE_INTERCEPT_TRY_MATCH) &&
        wire_portals_decode(frame->data, frame->data_len, &header, NULL, NULL) == WIRE_OK) {
        const struct wire_message *message = wire_portals_message_of(wire_portals_kind(&header));

        json_array_append_new(fields, json_pack("[ss]", "Portals header", message->label));
        add_rows(fields, message, frame->data, frame->data_len);
    }
    return fields;
}

static json_t *findings_of(const struct wire_intercept_heard *heard)
{
    json_t *findings = json_array();

    for (unsigned i = 0; i < heard->finding_count; i++) {
        json_array_append_new(findings, json_pack("{s:s, s:s}", "requirement", heard->findings[i].requirement, "text",
                                                  heard->findings[i].text));
    }
    return findings;
}

static const char *condition_of(const struct wire_intercept_heard *heard, bool is_lost)
{
    static const char *const names[] = {[WIRE_INTERCEPT_SOUND] = "sound",
                                        [WIRE_INTERCEPT_CORRUPT] = "corrupt",
                                        [WIRE_INTERCEPT_WITHDRAWN] = "withdrawn"};

    return is_lost ? "lost" : names[heard->condition];
}

/* First what has happened to it, then what it is. */
static json_t *requirements_of(const struct wire_intercept_heard *heard, bool is_lost)
{
    json_t *ids = json_array();

    if (is_lost) {
        json_array_append_new(ids, json_string("ICPT-010"));
    } else if (heard->condition != WIRE_INTERCEPT_SOUND) {
        json_array_append_new(ids, json_string(heard->condition == WIRE_INTERCEPT_CORRUPT ? "ICPT-008" : "ICPT-006"));
    } else if (heard->again) {
        json_array_append_new(ids, json_string("ICPT-063"));
    }
    if (heard->condition == WIRE_INTERCEPT_SOUND) {
        json_array_append_new(ids, json_string(explains[heard->frame.message]));
    }
    return ids;
}

/* ---- steps ---- */

static bool is_answer(const struct wire_intercept_frame *frame)
{
    return frame->message == WIRE_INTERCEPT_LINK_ACKNOWLEDGE || frame->message == WIRE_INTERCEPT_LINK_RETRANSMIT;
}

/* Notes what later steps need. What a message adopts of the connection before it is corrected when all is read. */
static void step_note(struct replay *replay, int cable, unsigned side, const struct wire_intercept_heard *heard)
{
    struct step *step = &replay->steps[replay->step_count];

    step->frame = heard->frame;
    step->frame.data = NULL;
    step->cause = REPLAY_CAUSE_NONE;
    step->answers = -1;
    if (heard->condition != WIRE_INTERCEPT_SOUND) {
        return;
    }
    if (is_answer(&heard->frame)) {
        step->answers = replay->cables[cable].sides[1 - side].steps[heard->frame.sequence] - 1;
        return;
    }
    card_name(replay, &heard->frame);
    replay->cables[cable].sides[side].steps[heard->frame.sequence] = replay->step_count + 1;
    step->cause = replay_cause_of(&replay->causes, heard);
}

static void step_add(struct replay *replay, const struct capture_packet *packet, const struct wire_segment *datagram,
                     int cable, unsigned side)
{
    struct wire_intercept_heard heard;
    const struct wire_message *message;
    bool is_lost = packet->comment != NULL; /* the switch says so of nothing else */

    wire_intercept_check_hear(&replay->check, (uint64_t)cable + 1, side, datagram->data, datagram->len, &heard);
    step_note(replay, cable, side, &heard);
    message = &wire_intercept_messages[heard.frame.message];
    replay->begun_ns = replay->step_count == 0 ? packet->when_ns : replay->begun_ns;
    int plane = heard.plane >= 0 ? heard.plane : 0;
    json_array_append_new(
        replay->json,
        json_pack("{s:I, s:f, s:i, s:b, s:i, s:I, s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "packet",
                  (json_int_t)packet->number, "time_us", (double)(packet->when_ns - replay->begun_ns) / 1000, "card",
                  replay->cables[cable].card, "up", side == UP, "plane", plane, "octets", (json_int_t)datagram->len,
                  "message", heard.condition == WIRE_INTERCEPT_SOUND ? message->name : "damaged", "label",
                  heard.announces ? "Announcement of a card"
                                  : (heard.condition == WIRE_INTERCEPT_SOUND ? message->label : "Damaged frame"),
                  "condition", condition_of(&heard, is_lost), "again", heard.again, "requirements",
                  requirements_of(&heard, is_lost), "fields", fields_of(&heard, datagram), "findings",
                  findings_of(&heard)));
    replay->step_count++;
}

static void packet_take(struct replay *replay, const struct capture_packet *packet)
{
    struct wire_segment datagram;
    unsigned side;
    int cable;

    if (capture_segment_of(packet, NULL, &datagram) != CAPTURE_DATAGRAM || datagram.missing) {
        return;
    }
    cable = cable_of(replay, &datagram, &side);
    if (cable < 0) {
        replay->left_out += wire_intercept_check_looks(datagram.data, datagram.len);
    } else if (replay->step_count == REPLAY_STEPS_MAX) {
        replay->left_out++;
    } else {
        step_add(replay, packet, &datagram, cable, side);
    }
}

/* ---- the whole ---- */

/* A connection is made for the long message that needs it first, which is the next one after it. */
static void causes_settle(struct replay *replay)
{
    for (int i = 0; i < replay->step_count; i++) {
        struct step *step = &replay->steps[i];

        for (int cause = 0; step->cause == REPLAY_CAUSE_NONE && cause < replay->causes.count; cause++) {
            if (replay_cause_adopts(&replay->causes.all[cause], &step->frame)) {
                step->cause = cause;
            }
        }
        if (step->answers >= 0) {
            step->cause = replay->steps[step->answers].cause;
        }
        json_object_set_new(json_array_get(replay->json, (size_t)i), "cause",
                            step->cause < 0 ? json_null() : json_integer(step->cause));
    }
}

static json_t *card_json(const struct replay *replay, uint16_t iuca)
{
    int card = card_find(replay, iuca);

    return card < 0 ? json_null() : json_integer(card);
}

static json_t *causes_json(const struct replay *replay)
{
    json_t *causes = json_array();

    for (int i = 0; i < replay->causes.count; i++) {
        const struct replay_cause *cause = &replay->causes.all[i];
        char what[64];

        snprintf(what, sizeof what, "message %llu", (unsigned long long)cause->number);
        json_array_append_new(causes, json_pack("{s:s, s:o, s:o, s:I, s:s}", "call", cause->call, "by",
                                                card_json(replay, cause->caller), "to", card_json(replay, cause->other),
                                                "octets", (json_int_t)cause->octets, "what",
                                                cause->begins ? "the card makes itself known" : what));
    }
    return causes;
}

static json_t *replay_json(struct replay *replay)
{
    json_t *cards = json_array();

    causes_settle(replay);
    for (int i = 0; i < replay->card_count; i++) {
        char name[32];
        bool is_known = replay->cards[i].rank != 0;

        snprintf(name, sizeof name, "%s %u", is_known ? "rank" : "node",
                 (unsigned)(is_known ? replay->cards[i].rank - 1 : replay->cards[i].iuca));
        json_array_append_new(cards, json_pack("{s:s, s:i}", "name", name, "iuca", (int)replay->cards[i].iuca));
    }
    return json_pack("{s:o, s:o, s:O, s:I}", "cards", cards, "causes", causes_json(replay), "steps", replay->json,
                     "left_out", replay->left_out);
}

json_t *replay_read(const char *path, char *message, size_t message_octets)
{
    static const uint64_t key[2] = {1, 2}; /* the capture is its reader's own */
    struct capture *capture = capture_open(path, message, message_octets);
    struct capture_packet packet;
    json_t *json = NULL;

    if (!capture) {
        return NULL;
    }
    struct replay *replay = memory_zero(sizeof *replay);
    replay->memory = memory_zero(wire_intercept_check_octets(ENTRIES));
    replay->check = wire_intercept_check_begin(replay->memory, ENTRIES, key);
    replay->check.is_ordered = true; /* by virtual time */
    replay->json = json_array();
    while (capture_next(capture, &packet, message, message_octets) == CAPTURE_PACKET) {
        packet_take(replay, &packet);
    }
    if (replay->step_count > 0) {
        json = replay_json(replay);
    } else {
        snprintf(message, message_octets,
                 "holds no frame of an Intercept card; portalsrun --nal intercept --trace "
                 "writes captures that do");
    }
    json_decref(replay->json);
    free(replay->memory);
    free(replay);
    capture_close(capture);
    return json;
}

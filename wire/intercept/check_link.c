/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's way in, and its link level; see check.h. An observer may miss what a cable loses, so of a link he knows
 * what was sent later than what was meant by it: a packet that has not been seen is known by the sequences around it.
 *
 *      sequence - next, of a packet
 *      0            new
 *      1 .. 6       new; those before it were lost on the way to the observer and will be sent again
 *      -1 .. -7     sent again
 *      others       no sender that keeps a window of seven
 */
#include "wire/intercept/check.h"

#include "wire/intercept/check_own.h"
#include "wire/intercept/crc32.h"
#include "wire/intercept/rules.h"
#include "wire/octets/cursor.h"

enum { AGAIN_PART = 4 };

static bool is_answer(const struct wire_intercept_frame *frame)
{
    return frame->kind == WIRE_INTERCEPT_ACKNOWLEDGE || frame->kind == WIRE_INTERCEPT_RETRANSMIT;
}

void wire_icpt_tell(struct wire_intercept_heard *heard, enum wire_intercept_violation violation)
{
    if (heard->finding_count < WIRE_INTERCEPT_FINDINGS_MAX) {
        heard->findings[heard->finding_count++] = wire_intercept_violation_text(violation);
    }
}

/* Judges the whole datagram, without believing any field of one that is damaged. */
static enum wire_intercept_condition condition_of(const unsigned char *octets, size_t len)
{
    size_t frame_octets = 0;

    if (wire_intercept_measure(octets, len, &frame_octets) != WIRE_OK || frame_octets != len) {
        return WIRE_INTERCEPT_CORRUPT;
    }
    struct wire_reader reader = wire_reader_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);
    uint32_t said = wire_read_u32(&reader);
    uint32_t right = wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS);

    if (said == right) {
        return WIRE_INTERCEPT_SOUND;
    }
    return said == ~right ? WIRE_INTERCEPT_WITHDRAWN : WIRE_INTERCEPT_CORRUPT;
}

/* Whether the CRC is right, whatever stands before it: no cable has changed that. */
static bool is_sealed(const unsigned char *octets, size_t len)
{
    if (len < WIRE_INTERCEPT_HEADER_OCTETS + WIRE_INTERCEPT_CRC_OCTETS) {
        return false;
    }
    struct wire_reader reader = wire_reader_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);

    return wire_read_u32(&reader) == wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS);
}

bool wire_intercept_check_looks(const void *octets, size_t len)
{
    return condition_of(octets, len) != WIRE_INTERCEPT_CORRUPT;
}

/* ---- links ---- */

static struct check_link *link_of(struct wire_intercept_check *check, uint64_t link)
{
    struct wire_intercept_check_entry *entry = wire_icpt_find(check, CHECK_LINK, link, 0);

    return entry ? &entry->of.link : NULL;
}

/* A link begins anew, or its card has another one: what was missing on it is no longer found by its card. */
static void leave(struct wire_intercept_check *check, struct check_link *at)
{
    for (unsigned side = 0; at->known && side < 2; side++) {
        wire_icpt_gap_move(&check->elsewhere, &at->ways[side].packets);
        wire_icpt_gap_move(&check->elsewhere, &at->ways[side].answers);
        at->ways[side].packets = at->ways[side].answers = (struct wire_intercept_gap){0};
    }
}

/* A card makes itself known on a plane: both directions begin anew. */
static void take_announcement(struct wire_intercept_check *check, struct check_link *at, uint64_t link, unsigned side,
                              struct wire_intercept_heard *heard)
{
    struct wire_intercept_check_entry *card = wire_icpt_make(check, CHECK_CARD, heard->frame.source, 0);
    unsigned plane = 0;

    while (!(heard->frame.planes >> plane & 1) && plane < CHECK_PLANES - 1) {
        plane++;
    }
    heard->announces = true;
    heard->again = at->known && at->ways[side].next == 1;
    if (heard->again && !at->ways[side].claimed) {
        return;
    }
    leave(check, at);
    if (card) {
        uint64_t number = card->of.card.links[plane];
        struct check_link *before = number ? link_of(check, number) : NULL;

        if (before && before != at) {
            leave(check, before);
        }
        card->of.card.links[plane] = link;
        card->of.card.known_at = card->of.card.known_at ? card->of.card.known_at : check->frames;
        card->of.card.begun_at = number ? check->frames : card->of.card.begun_at;
        check->begun_at = number ? check->frames : check->begun_at;
    }
    bool is_anew = at->ways[0].synced || at->ways[1].synced;
    uint64_t renewed_at = is_anew ? check->frames + 1 : 0;
    uint8_t past[2] = {at->ways[0].next, at->ways[1].next};
    *at = (struct check_link){
        .known = true, .side = (uint8_t)side, .plane = (uint8_t)(plane + 1), .iuca = heard->frame.source};
    at->ways[side] = (struct check_way){.synced = true, .next = 1, .renewed_at = renewed_at, .past = past[side]};
    at->ways[side].slots[0].waiting = at->ways[side].slots[0].seen = true;
    at->ways[!side] = (struct check_way){.synced = true, .renewed_at = renewed_at, .past = past[!side]};
    at->ways[side].heard_at = at->ways[!side].heard_at = check->frames;
}

/* Somebody answers a packet that was not heard: it is missing, or he is wrong, which the packet shows when it comes. */
static void claim(struct wire_intercept_check *check, struct check_link *at, unsigned side, uint8_t sequence)
{
    struct check_way *way = &at->ways[side];

    if (!way->claimed) {
        way->claimed = true;
        way->claim = sequence;
        way->claimed_at = check->frames;
        wire_icpt_suspected(check, wire_icpt_packets(check, at, side), way->heard_at);
    }
}

/* Whether many frames come twice, as where captures of one network were merged: each lacks others, and has its time. */
static bool is_merged(const struct wire_intercept_check *check)
{
    return check->again * AGAIN_PART >= check->frames;
}

/* The packet comes only now. Close behind its answer, it may be the capture that has their order wrong. */
static void disclaim(struct wire_intercept_check *check, struct check_link *at, unsigned side, uint8_t sequence)
{
    struct check_way *way = &at->ways[side];

    if (way->claimed && way->claim == sequence) {
        way->claimed = false;
        wire_icpt_cleared(check, wire_icpt_packets(check, at, side));
        if (check->frames - way->claimed_at <= CHECK_CLOSE || is_merged(check)) {
            wire_icpt_missed(check, wire_icpt_packets(check, at, side), way->heard_at);
            wire_icpt_late(check, wire_icpt_packets(check, at, side));
        }
    }
}

static bool is_outstanding(const struct check_way *way, uint8_t sequence)
{
    return (uint8_t)(sequence - way->oldest) < (uint8_t)(way->next - way->oldest);
}

/* An acknowledgement tells that packets were under way, or that the one before an eighth was. */
static void confirm(struct wire_intercept_check *check, struct check_link *at, unsigned side, uint8_t sequence)
{
    struct check_way *way = &at->ways[side];
    bool held = (uint8_t)(sequence - way->full_from) < (uint8_t)(way->oldest - way->full_from) &&
                (uint8_t)(way->next - sequence) <= CHECK_SLOTS && !way->has_jumped;

    if (way->has_jumped && way->jumped == sequence) {
        wire_icpt_missed(check, wire_icpt_packets(check, at, side), way->heard_at);
    }
    if (way->leapt_from && is_outstanding(way, sequence)) { /* its receiver has taken all that was skipped */
        wire_icpt_missed(check, way->leapt_back ? &check->elsewhere : wire_icpt_packets(check, at, side),
                         way->leapt_from - 1);
        way->leapt_from = 0;
    }
    if (way->full && held && way->slots[sequence % CHECK_SLOTS].waiting) {
        way->full = false;
        wire_icpt_cleared(check, wire_icpt_answers(check, at, side));
    }
}

/* Whether a packet has other octets than one of its sequence that was sent not long before. */
static bool contradicts(const struct check_way *way, uint8_t sequence, uint64_t digest)
{
    return (uint8_t)(way->next - sequence - 1) < CHECK_SLOTS && way->slots[sequence % CHECK_SLOTS].seen &&
           way->slots[sequence % CHECK_SLOTS].digest != digest;
}

/* A packet contradicts one sent before. Where the one behind it does so, too, and new ones come in between, two packets
 * of each sequence travel side by side: captures of two jobs were merged, and of the messages nothing is sure. */
static void weave(struct wire_intercept_check *check, struct check_way *way, uint8_t sequence)
{
    if (way->other_at && sequence == way->other && way->heard_at > way->other_at) {
        wire_icpt_missed(check, &check->elsewhere, 0);
    }
    way->other_at = check->frames;
    way->other = (uint8_t)(sequence + 1);
}

/* Whether a packet whose turn it is not, or an answer to one, goes on where the link was before it began anew. Then the
 * capture was merged of some whose clocks are apart, and of the messages since then nothing is sure. */
static bool is_past(struct wire_intercept_check *check, struct check_way *way, uint8_t sequence)
{
    uint8_t ahead = (uint8_t)(sequence - way->past + CHECK_WINDOW);

    if (!way->renewed_at || ahead > 2 * CHECK_WINDOW) {
        return false;
    }
    way->past = ahead >= CHECK_WINDOW ? (uint8_t)(sequence + 1) : way->past;
    wire_icpt_missed(check, &check->elsewhere, way->renewed_at - 1);
    return true;
}

/* An acknowledgement for want of which a packet was one too many: close behind it, it may have come before. */
static void make_room(struct wire_intercept_check *check, struct check_way *way, uint8_t sequence)
{
    struct wire_intercept_basis *crowded = &way->crowded[(uint8_t)(sequence + CHECK_WINDOW) % CHECK_SLOTS];

    if (crowded->at && check->frames - crowded->at <= CHECK_CLOSE && !check->is_ordered) {
        wire_icpt_settle(check, crowded, WIRE_INTERCEPT_WINDOW_FULL);
    }
    crowded->at = 0;
}

/* An acknowledgement or request, which speaks of the other direction. */
static void take_answer(struct wire_intercept_check *check, struct check_link *at, unsigned side,
                        struct wire_intercept_heard *heard)
{
    struct check_way *way = &at->ways[side];
    uint8_t sequence = heard->frame.sequence;
    bool before = (uint8_t)(way->oldest - sequence - 1) < CHECK_WINDOW;

    if (!way->synced) { /* what it speaks of was not heard */
        wire_icpt_missed(check, wire_icpt_packets(check, at, side), 0);
        return;
    }
    if (!is_outstanding(way, sequence) && !before && is_past(check, way, sequence)) {
        return;
    }
    if (heard->frame.kind == WIRE_INTERCEPT_RETRANSMIT) {
        way->asked_at = check->frames;
        if (!is_outstanding(way, sequence) && sequence != way->next && !before) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_ASKS_FOR_NOTHING);
            claim(check, at, side, sequence);
        }
        return;
    }
    confirm(check, at, side, sequence);
    make_room(check, way, sequence);
    if (!is_outstanding(way, sequence)) {
        if (!before) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_ACK_OF_NOTHING);
            claim(check, at, side, sequence);
        }
        heard->again = before;
        return;
    }
    heard->again = !way->slots[sequence % CHECK_SLOTS].waiting;
    way->slots[sequence % CHECK_SLOTS].waiting = false;
    while (way->oldest != way->next && !way->slots[way->oldest % CHECK_SLOTS].waiting) {
        way->oldest++;
    }
}

/* An eighth packet: either an acknowledgement is missing, or those that come now show that there was none. What has
 * not been shown of another one long ago never will be. */
static void overflow(struct wire_intercept_check *check, struct check_link *at, unsigned side)
{
    struct check_way *way = &at->ways[side];
    struct wire_intercept_gap *gap = wire_icpt_answers(check, at, side);

    if (way->full && (uint8_t)(way->oldest - way->full_from) >= CHECK_WINDOW) {
        wire_icpt_missed(check, gap, gap->suspect_from - 1);
        wire_icpt_cleared(check, gap);
        way->full = false;
    }
    if (!way->full) {
        wire_icpt_suspected(check, gap, way->slots[way->oldest % CHECK_SLOTS].sent_at);
        way->full_from = way->oldest;
        way->full = true;
    }
}

/* A packet whose turn it is, or one behind it. */
static void take_new(struct wire_intercept_check *check, struct check_link *at, struct wire_intercept_heard *heard,
                     uint64_t digest)
{
    unsigned side = heard->basis.side;
    struct check_way *way = &at->ways[side];
    struct wire_intercept_gap *gap = wire_icpt_packets(check, at, side);
    uint8_t sequence = heard->frame.sequence;

    if ((uint8_t)(sequence - way->oldest) >= CHECK_WINDOW) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_WINDOW_FULL);
        overflow(check, at, side);
        way->crowded[sequence % CHECK_SLOTS] = heard->basis;
        way->oldest = (uint8_t)(sequence - CHECK_WINDOW + 1);
    }
    while (way->next != sequence) {
        way->slots[way->next % CHECK_SLOTS].waiting = true;
        way->slots[way->next % CHECK_SLOTS].seen = false;
        way->slots[way->next % CHECK_SLOTS].sent_at = way->heard_at;
        way->next++;
        way->skipped++;
        wire_icpt_suspected(check, gap, way->heard_at); /* until it comes */
    }
    disclaim(check, at, side, sequence);
    if (way->doubted) { /* the packets before it are known now */
        way->doubted = false;
        wire_icpt_cleared(check, gap);
    }
    way->slots[sequence % CHECK_SLOTS].waiting = way->slots[sequence % CHECK_SLOTS].seen = true;
    way->slots[sequence % CHECK_SLOTS].digest = digest;
    way->slots[sequence % CHECK_SLOTS].sent_at = way->heard_at = check->frames;
    way->used = true;
    way->next++;
}

/* Either many packets are missing, or, where it goes on behind where it was, captures were merged that have the same
 * packets. What was suspected before is not shown by what comes now. */
static void leap(struct wire_intercept_check *check, struct check_link *at, unsigned side, uint8_t sequence)
{
    struct check_way *way = &at->ways[side];
    struct wire_intercept_gap *packets = wire_icpt_packets(check, at, side);
    struct wire_intercept_gap *answers = wire_icpt_answers(check, at, side);

    if (way->full) {
        wire_icpt_missed(check, answers, answers->suspect_from - 1);
        wire_icpt_cleared(check, answers);
    }
    if (way->claimed) {
        wire_icpt_missed(check, packets, packets->suspect_from - 1);
        wire_icpt_cleared(check, packets);
    }
    way->full = way->claimed = false;
    way->skipped += UINT16_MAX;
    way->leapt_from = way->heard_at + 1;
    way->leapt_back = (uint8_t)(sequence - way->next) > UINT8_MAX / 2;
    way->oldest = way->next = sequence;
    for (unsigned slot = 0; slot < CHECK_SLOTS; slot++) {
        way->slots[slot].seen = false;
    }
}

/* A packet comes that one behind it has preceded. Where it was asked for, it has been lost on the cable; else it is the
 * capture that has their order wrong. */
static void come(const struct wire_intercept_check *check, const struct check_way *way, struct wire_intercept_gap *gap,
                 uint8_t sequence)
{
    uint64_t sent_at = way->slots[sequence % CHECK_SLOTS].sent_at;

    if (way->asked_at <= sent_at && check->frames - sent_at <= 2 * CHECK_CLOSE) {
        wire_icpt_late(check, gap);
    }
}

static void take_packet(struct wire_intercept_check *check, struct check_link *at, struct wire_intercept_heard *heard,
                        uint64_t digest)
{
    struct check_way *way = &at->ways[heard->basis.side];
    struct wire_intercept_gap *gap = wire_icpt_packets(check, at, heard->basis.side);
    uint8_t sequence = heard->frame.sequence;
    uint8_t ahead = (uint8_t)(sequence - way->next);

    if (!way->synced) {
        way->synced = true;
        way->oldest = way->next = sequence;
        ahead = 0;
        if (sequence != 0) { /* the link has begun before */
            wire_icpt_missed(check, gap, 0);
        }
    }
    if (contradicts(way, sequence, digest)) {
        weave(check, way, sequence);
    }
    if (is_outstanding(way, sequence)) {
        heard->again = way->slots[sequence % CHECK_SLOTS].seen;
        if (contradicts(way, sequence, digest)) {
            wire_icpt_tell(heard, WIRE_INTERCEPT_CHANGED);
        }
        if (!way->slots[sequence % CHECK_SLOTS].seen) {
            wire_icpt_cleared(check, gap);
            come(check, way, gap, sequence);
        }
        way->slots[sequence % CHECK_SLOTS].seen = true;
        way->slots[sequence % CHECK_SLOTS].digest = digest;
    } else if (ahead == 0 || (ahead < CHECK_WINDOW && !is_past(check, way, sequence))) {
        take_new(check, at, heard, digest);
    } else if ((uint8_t)(way->oldest - sequence - 1) < CHECK_WINDOW) {
        heard->again = true; /* its acknowledgement was on the way */
    } else if (way->has_jumped && sequence == way->jumped) {
        heard->again = true; /* captured twice, or sent again */
    } else if (is_past(check, way, sequence)) {
        heard->again = true;
    } else {
        wire_icpt_tell(heard, WIRE_INTERCEPT_SEQUENCE_JUMPS);
        if (way->has_jumped && (uint8_t)(sequence - way->jumped) <= CHECK_WINDOW) { /* it goes on from there */
            leap(check, at, heard->basis.side, sequence);
            take_new(check, at, heard, digest);
        }
        way->has_jumped = !way->has_jumped;
        way->jumped = sequence;
    }
}

/* Whether the packet is outstanding on another link of its sender's: one that has died. */
static bool is_rescued(struct wire_intercept_check *check, uint64_t link, const struct wire_intercept_frame *frame,
                       uint64_t digest)
{
    const struct wire_intercept_check_entry *card = wire_icpt_find(check, CHECK_CARD, frame->source, 0);

    for (unsigned plane = 0; card && plane < CHECK_PLANES; plane++) {
        uint64_t other = card->of.card.links[plane];
        const struct check_link *at = other && other != link ? link_of(check, other) : NULL;

        for (unsigned slot = 0; at && slot < CHECK_SLOTS; slot++) {
            const struct check_way *way = &at->ways[at->side];

            if (way->slots[slot].waiting && way->slots[slot].seen && way->slots[slot].digest == digest) {
                return true;
            }
        }
    }
    return false;
}

static void judge_place(const struct check_link *at, unsigned side, struct wire_intercept_heard *heard)
{
    unsigned bit = at->plane ? 1U << (at->plane - 1) : 0;

    if (bit && !(heard->frame.planes & bit)) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_WRONG_PLANE);
    }
    if (!is_answer(&heard->frame) && at->known && at->side == side && heard->frame.source != at->iuca) {
        wire_icpt_tell(heard, WIRE_INTERCEPT_FOREIGN_SOURCE);
    }
}

/* Whether the packet's message is judged here: where its sender's card is, else at its receiver's. */
static bool counts_here(struct wire_intercept_check *check, const struct check_link *at, unsigned side,
                        const struct wire_intercept_frame *frame)
{
    if (!at->known || (frame->flags & WIRE_INTERCEPT_FLAG_MULTICAST)) {
        return false;
    }
    if (at->side == side) {
        return frame->source == at->iuca;
    }
    return frame->destination == at->iuca && !wire_icpt_find(check, CHECK_CARD, frame->source, 0);
}

/* Whether the card on whose link it is has another one on this plane by now: captures of several jobs whose clocks are
 * apart were merged. */
static bool is_left(struct wire_intercept_check *check, uint64_t link, const struct check_link *at)
{
    const struct wire_intercept_check_entry *card = at->known ? wire_icpt_find(check, CHECK_CARD, at->iuca, 0) : NULL;

    if (!card || card->of.card.links[at->plane - 1] == link) {
        return false;
    }
    wire_icpt_missed(check, &check->elsewhere, card->of.card.begun_at);
    return true;
}

static void judge_frame(struct wire_intercept_heard *heard)
{
    enum wire_intercept_rule rule = wire_intercept_judge(&heard->frame);
    const struct wire_intercept_rule_text *text = wire_intercept_rule_text(rule);

    if (rule != WIRE_INTERCEPT_LEGAL && heard->finding_count < WIRE_INTERCEPT_FINDINGS_MAX) {
        heard->findings[heard->finding_count++] =
            (struct wire_intercept_finding){WIRE_INTERCEPT_BREAKS_RULE, text->name, text->clause, text->text};
    }
}

/* Whether its receiver takes the packet: one that is one too many, or on a plane that it should not be on, is as good
 * as any other to him, and his answers break nothing. */
static bool is_taken(const struct wire_intercept_heard *heard)
{
    bool taken = heard->counts;

    for (unsigned i = 0; i < heard->finding_count; i++) {
        enum wire_intercept_violation violation = heard->findings[i].violation;

        taken = taken && (violation == WIRE_INTERCEPT_WINDOW_FULL || violation == WIRE_INTERCEPT_WRONG_PLANE);
    }
    return taken;
}

static bool is_well_formed(const struct wire_intercept_heard *heard)
{
    return heard->finding_count == 0 || heard->findings[0].violation != WIRE_INTERCEPT_BREAKS_RULE;
}

/* Which links its sender must have: a card sends over planes on which it has made itself known (IW-54). */
static void tell_links(struct wire_intercept_check *check, const struct check_link *at,
                       const struct wire_intercept_heard *heard)
{
    if (is_well_formed(heard)) {
        wire_icpt_has_links(check, heard->frame.source, heard->frame.planes | (at->plane ? 1U << (at->plane - 1) : 0));
    }
}

static void take_sound(struct wire_intercept_check *check, uint64_t link, unsigned side, const unsigned char *octets,
                       size_t len, struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    struct wire_intercept_check_entry *entry = wire_icpt_make(check, CHECK_LINK, link, 0);
    uint64_t digest = wire_icpt_digest(check, octets, len);
    struct check_link *at = entry ? &entry->of.link : NULL;
    bool is_own = frame->kind == WIRE_INTERCEPT_SHORT && frame->length == 0 && frame->source == frame->destination &&
                  frame->destination_vnic == WIRE_INTERCEPT_HANDLER_VNIC && frame->sequence == 0;

    judge_frame(heard);
    if (!at) {
        return;
    }
    if (is_own && !(at->known && at->side != side)) { /* of two cards that are joined the first one that is seen */
        take_announcement(check, at, link, side, heard);
        at->ways[side].slots[0].digest = digest;
    } else if (is_answer(frame)) {
        take_answer(check, at, !side, heard);
    } else {
        tell_links(check, at, heard);
        take_packet(check, at, heard, digest);
        wire_icpt_pass(check, at, heard);
        heard->again = heard->again || (side == at->side && is_rescued(check, link, frame, digest));
        heard->counts = !heard->again && !is_left(check, link, at) && counts_here(check, at, side, frame);
    }
    judge_place(at, side, heard);
    heard->plane = at->plane - 1;
    if (is_taken(heard)) {
        wire_icpt_judge(check, heard, octets, len);
    } else if (heard->counts && is_well_formed(heard) && frame->message == WIRE_INTERCEPT_RTS) {
        wire_icpt_rts(heard);
    } else if (heard->counts && is_well_formed(heard) && wire_icpt_is_control(frame->message)) {
        wire_icpt_rank(heard);
    }
}

void wire_intercept_check_hear(struct wire_intercept_check *check, uint64_t link, unsigned side, const void *octets,
                               size_t len, struct wire_intercept_heard *heard)
{
    const struct check_link *at = link_of(check, link);

    *heard = (struct wire_intercept_heard){.condition = condition_of(octets, len), .plane = at ? at->plane - 1 : -1};
    check->frames++;
    heard->basis = (struct wire_intercept_basis){.at = check->frames, .link = link, .side = (uint8_t)side};
    if (heard->condition == WIRE_INTERCEPT_CORRUPT && is_sealed(octets, len)) {
        size_t all = 0;
        bool known = wire_intercept_measure(octets, len, &all) != WIRE_UNKNOWN;

        wire_icpt_tell(heard, known ? WIRE_INTERCEPT_BAD_LENGTH : WIRE_INTERCEPT_UNKNOWN_KIND);
    }
    if (heard->condition != WIRE_INTERCEPT_SOUND ||
        wire_intercept_decode(octets, len, &heard->frame, NULL) != WIRE_OK) {
        check->corrupt++;
        return;
    }
    heard->basis.from = heard->frame.source;
    heard->basis.to = heard->frame.destination;
    take_sound(check, link, side, octets, len, heard);
    check->again += heard->again;
}

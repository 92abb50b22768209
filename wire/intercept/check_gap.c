/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's gaps (check_own.h): what was not heard, in which direction of which link and since when, and which
 * findings that explains. A packet that is missing of one card says nothing of what two others do, and one that was
 * sent behind a violation does not explain it. Only the next packet of a link shows that the last ones were missing: in
 * a capture that lacks frames, nobody is accused as long as that has not come where it could tell otherwise.
 *
 *      rests on        is explained by what is missing of
 *      nothing         nobody: it stands in the frame itself
 *      the link        either direction of the link
 *      answers         and by acknowledgements, which have no numbers of their own
 *      own, others     what who broke the rule has sent to the other, or was sent by him
 *
 * A capture may have only some of a card's links. The planes over which its packets may travel, and those over which
 * they arrive elsewhere, tell of others.
 */
#include "wire/intercept/check_own.h"

enum { RESTS_NOTHING, RESTS_OWN = 1, RESTS_OTHERS = 2, RESTS_BOTH = 3, RESTS_LINK, RESTS_ANSWERS };

static const unsigned char rests_on[WIRE_INTERCEPT_VIOLATIONS] = {
    [WIRE_INTERCEPT_BREAKS_RULE] = RESTS_NOTHING,   [WIRE_INTERCEPT_WINDOW_FULL] = RESTS_ANSWERS,
    [WIRE_INTERCEPT_SEQUENCE_JUMPS] = RESTS_LINK,   [WIRE_INTERCEPT_CHANGED] = RESTS_LINK,
    [WIRE_INTERCEPT_ACK_OF_NOTHING] = RESTS_LINK,   [WIRE_INTERCEPT_ASKS_FOR_NOTHING] = RESTS_LINK,
    [WIRE_INTERCEPT_WRONG_PLANE] = RESTS_LINK,      [WIRE_INTERCEPT_FOREIGN_SOURCE] = RESTS_LINK,
    [WIRE_INTERCEPT_NUMBER_AGAIN] = RESTS_OWN,      [WIRE_INTERCEPT_BOOT_FIRST] = RESTS_OTHERS,
    [WIRE_INTERCEPT_RTS_NOT_FULL] = RESTS_NOTHING,  [WIRE_INTERCEPT_CTS_OF_NOTHING] = RESTS_OTHERS,
    [WIRE_INTERCEPT_CTS_AGAIN] = RESTS_OTHERS,      [WIRE_INTERCEPT_CTS_LENGTH] = RESTS_OTHERS,
    [WIRE_INTERCEPT_CTS_BEYOND] = RESTS_OTHERS,     [WIRE_INTERCEPT_GRANT_TOO_LARGE] = RESTS_OTHERS,
    [WIRE_INTERCEPT_DATA_OF_NOTHING] = RESTS_OWN,   [WIRE_INTERCEPT_DATA_NOT_GRANTED] = RESTS_BOTH,
    [WIRE_INTERCEPT_DATA_AGAIN] = RESTS_OWN,        [WIRE_INTERCEPT_DATA_LENGTH] = RESTS_BOTH,
    [WIRE_INTERCEPT_DATA_TYPE] = RESTS_BOTH,        [WIRE_INTERCEPT_END_OF_NOTHING] = RESTS_OTHERS,
    [WIRE_INTERCEPT_END_EARLY] = RESTS_BOTH,        [WIRE_INTERCEPT_NO_CREDIT] = RESTS_OTHERS,
    [WIRE_INTERCEPT_GET_OF_NOTHING] = RESTS_OTHERS, [WIRE_INTERCEPT_GET_BEYOND] = RESTS_OTHERS,
    [WIRE_INTERCEPT_GET_SLICES] = RESTS_OTHERS,     [WIRE_INTERCEPT_BLOCKS_OF_NOTHING] = RESTS_BOTH,
    [WIRE_INTERCEPT_BLOCKS_DIFFER] = RESTS_BOTH,    [WIRE_INTERCEPT_SLICE_OF_NOTHING] = RESTS_OTHERS,
    [WIRE_INTERCEPT_SLICE_BEYOND] = RESTS_OTHERS,   [WIRE_INTERCEPT_REPLY_OF_NOTHING] = RESTS_OTHERS,
    [WIRE_INTERCEPT_REPLY_EARLY] = RESTS_BOTH,      [WIRE_INTERCEPT_REPLY_LENGTH] = RESTS_BOTH,
    [WIRE_INTERCEPT_OTHER_RANK] = RESTS_NOTHING,    [WIRE_INTERCEPT_UNKNOWN_KIND] = RESTS_NOTHING,
    [WIRE_INTERCEPT_BAD_LENGTH] = RESTS_NOTHING,
};

/* ---- counting ---- */

static void earlier(uint64_t *from, uint64_t other)
{
    if (other && (*from == 0 || other < *from)) {
        *from = other;
    }
}

void wire_icpt_missed(struct wire_intercept_check *check, struct wire_intercept_gap *gap, uint64_t from)
{
    check->missed++;
    earlier(&gap->missed_from, from + 1);
}

void wire_icpt_suspected(struct wire_intercept_check *check, struct wire_intercept_gap *gap, uint64_t from)
{
    check->suspects++;
    if (gap->suspects++ == 0) {
        gap->suspect_from = 0;
    }
    earlier(&gap->suspect_from, from + 1);
}

void wire_icpt_cleared(struct wire_intercept_check *check, struct wire_intercept_gap *gap)
{
    check->suspects--;
    gap->suspects--;
}

void wire_icpt_late(const struct wire_intercept_check *check, struct wire_intercept_gap *gap)
{
    gap->late_until = check->frames + 1;
    earlier(&gap->late_from, gap->late_until);
}

void wire_icpt_gap_move(struct wire_intercept_gap *to, const struct wire_intercept_gap *from)
{
    earlier(&to->missed_from, from->missed_from);
    earlier(&to->missed_from, from->suspects ? from->suspect_from : 0);
}

struct wire_intercept_gap *wire_icpt_packets(struct wire_intercept_check *check, struct check_link *at, unsigned side)
{
    return at->known ? &at->ways[side].packets : &check->elsewhere;
}

struct wire_intercept_gap *wire_icpt_answers(struct wire_intercept_check *check, struct check_link *at, unsigned side)
{
    return at->known ? &at->ways[side].answers : &check->elsewhere;
}

void wire_icpt_has_links(struct wire_intercept_check *check, uint16_t iuca, unsigned planes)
{
    struct wire_intercept_check_entry *entry = wire_icpt_find(check, CHECK_CARD, iuca, 0);
    struct check_card *card = entry ? &entry->of.card : NULL;

    for (unsigned plane = 0; card && !card->lacks_link && plane < CHECK_PLANES; plane++) {
        if ((planes >> plane & 1) && !card->links[plane]) {
            card->lacks_link = true;
            check->missed++;
        }
    }
}

static struct check_link *link_of(struct wire_intercept_check *check, uint64_t number)
{
    struct wire_intercept_check_entry *entry = number ? wire_icpt_find(check, CHECK_LINK, number, 0) : NULL;

    return entry && entry->of.link.known ? &entry->of.link : NULL;
}

void wire_intercept_check_cut(struct wire_intercept_check *check, uint64_t link, unsigned side)
{
    struct check_link *at = link_of(check, link);

    wire_icpt_missed(check, at ? &at->ways[side].packets : &check->elsewhere, check->frames);
    if (at) { /* or it acknowledges what is outstanding */
        const struct check_way *way = &at->ways[!side];
        bool waits = way->oldest != way->next;
        wire_icpt_missed(check, &at->ways[!side].answers,
                         waits ? way->slots[way->oldest % CHECK_SLOTS].sent_at : check->frames);
    }
}

/* ---- explaining ---- */

/* Whether something may be missing since before a frame. */
static bool gap_before(const struct wire_intercept_gap *gap, uint64_t at)
{
    return (gap->missed_from && gap->missed_from - 1 < at) || (gap->suspects && gap->suspect_from - 1 < at);
}

/* Whether it takes another packet to know what was sent before a frame. A way over which nothing was ever sent but what
 * announced the card is taken for one that is not used. */
static bool is_silent(const struct wire_intercept_check *check, const struct check_way *way, uint64_t at)
{
    return wire_intercept_check_lacks(check) && way->used && way->heard_at <= at;
}

static bool link_lacks(struct wire_intercept_check *check, const struct wire_intercept_basis *basis, bool answers,
                       uint64_t before)
{
    const struct check_link *at = link_of(check, basis->link);

    return at && (is_silent(check, &at->ways[basis->side], basis->at) || gap_before(&at->ways[0].packets, before) ||
                  gap_before(&at->ways[1].packets, before) ||
                  (answers && gap_before(&at->ways[basis->side].answers, before)));
}

/* Whether what a card sends lacks something on one of its links, or what it receives; of frame `at`, if not 0, also
 * whether the next packet has not come yet. */
static bool card_lacks(struct wire_intercept_check *check, const struct check_card *card, bool receives,
                       uint64_t before, uint64_t at)
{
    if (card->lacks_link) {
        return true;
    }
    for (unsigned plane = 0; plane < CHECK_PLANES; plane++) {
        const struct check_link *link = link_of(check, card->links[plane]);
        const struct check_way *way = link ? &link->ways[receives ? !link->side : link->side] : NULL;

        if (way && (gap_before(&way->packets, before) || (at && is_silent(check, way, at)))) {
            return true;
        }
    }
    return false;
}

/* Whether something tells that a packet has arrived which was not heard, though all have that were heard where they
 * were sent: then it was heard nowhere. */
static bool arrival_lacks(struct wire_intercept_check *check, uint16_t from, const struct check_card *receiver,
                          uint16_t to, uint64_t before)
{
    const struct check_pair *pair = wire_icpt_pair_of(check, from, to);

    for (unsigned plane = 0; pair && plane < CHECK_PLANES; plane++) {
        const struct check_link *link = link_of(check, receiver->links[plane]);
        const struct wire_intercept_gap *gap = link ? &link->ways[!link->side].packets : NULL;

        if (gap && gap->suspects && gap->suspect_from - 1 < before &&
            pair->order.sent[plane] <= pair->order.arrived[plane]) {
            return true;
        }
    }
    return false;
}

/* Whether something is missing of what `from` sends to `to`, which counts where the sender's card is, but before that
 * was known, where the receiver's is. */
static bool sender_lacks(struct wire_intercept_check *check, uint16_t from, uint16_t to, uint64_t at)
{
    uint64_t before = at + CHECK_CLOSE; /* a capture may have the order of what is close wrong */
    const struct wire_intercept_check_entry *sender = wire_icpt_find(check, CHECK_CARD, from, 0);
    const struct wire_intercept_check_entry *receiver = wire_icpt_find(check, CHECK_CARD, to, 0);
    uint64_t known_at = sender ? sender->of.card.known_at : before;

    return (sender && (card_lacks(check, &sender->of.card, false, before, at) ||
                       (receiver && arrival_lacks(check, from, &receiver->of.card, to, before)))) ||
           (receiver &&
            card_lacks(check, &receiver->of.card, true, known_at < before ? known_at : before, sender ? 0 : at));
}

/* Whether the capture has something that a card sent close to a frame in a wrong place. */
static bool sender_is_late(struct wire_intercept_check *check, uint16_t from, uint64_t at)
{
    const struct wire_intercept_check_entry *sender = wire_icpt_find(check, CHECK_CARD, from, 0);

    for (unsigned plane = 0; sender && plane < CHECK_PLANES; plane++) {
        const struct check_link *link = link_of(check, sender->of.card.links[plane]);
        const struct wire_intercept_gap *gap = link ? &link->ways[link->side].packets : NULL;

        if (gap && gap->late_until && at + CHECK_CLOSE >= gap->late_from - 1 &&
            at <= gap->late_until - 1 + CHECK_CLOSE) {
            return true;
        }
    }
    return false;
}

/* A channel's receiver grants it to anybody: what he sends is seen where he is, or at any of those. */
static bool channel_lacks(struct wire_intercept_check *check, enum wire_intercept_violation violation, uint16_t grants)
{
    bool is_channel = violation == WIRE_INTERCEPT_SLICE_OF_NOTHING || violation == WIRE_INTERCEPT_SLICE_BEYOND;

    return is_channel && !wire_icpt_find(check, CHECK_CARD, grants, 0) && wire_intercept_check_lacks(check);
}

/* Whether the packet stands between those of its two nodes that the capture has in a wrong order. */
static bool is_misplaced(struct wire_intercept_check *check, const struct wire_intercept_basis *basis)
{
    for (unsigned turned = 0; turned < 2; turned++) {
        const struct check_pair *pair =
            wire_icpt_pair_of(check, turned ? basis->to : basis->from, turned ? basis->from : basis->to);
        const struct check_order *order = pair ? &pair->order : NULL;

        if (order &&
            ((order->misplaced_from && basis->at >= order->misplaced_from && basis->at <= order->misplaced_until) ||
             (order->ahead_at && basis->at >= order->ahead_at))) {
            return true;
        }
    }
    return false;
}

bool wire_intercept_check_rests(enum wire_intercept_violation violation)
{
    return rests_on[violation] != RESTS_NOTHING;
}

bool wire_intercept_check_explains(struct wire_intercept_check *check, enum wire_intercept_violation violation,
                                   const struct wire_intercept_basis *basis)
{
    uint64_t before = basis->at + CHECK_CLOSE;
    unsigned rests = rests_on[violation];

    if (rests == RESTS_NOTHING) {
        return false;
    }
    if (wire_icpt_find(check, CHECK_SETTLED, basis->at, violation)) {
        return true;
    }
    if (gap_before(&check->elsewhere, before)) {
        return true;
    }
    if (rests == RESTS_LINK || rests == RESTS_ANSWERS) {
        return link_lacks(check, basis, rests == RESTS_ANSWERS, before);
    }
    return is_misplaced(check, basis) || sender_is_late(check, basis->from, basis->at) ||
           ((rests & RESTS_OTHERS) && sender_is_late(check, basis->to, basis->at)) ||
           channel_lacks(check, violation, basis->to) ||
           ((rests & RESTS_OWN) && sender_lacks(check, basis->from, basis->to, basis->at)) ||
           ((rests & RESTS_OTHERS) && sender_lacks(check, basis->to, basis->from, basis->at));
}

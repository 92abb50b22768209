/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's view of order (check_own.h). Frames of different links, or of the two directions of one, that stand
 * close to each other in a capture may have been sent in the other order: no sequence tells, and who captures on
 * several interfaces or processors writes them down as they reach him. So where a packet meets a violation, its own or
 * that of one close before it, these are taken back and judged with that packet before them, or with one of them behind
 * it, alone or with all that its card has sent meanwhile, whose clock may be another. The order in which the fewest
 * rules are broken is how it goes on, and what was told of a packet and is not found any more is settled.
 *
 * Where the links of two cards are captured by different clocks, more frames may stand in a wrong place. A plane keeps
 * the order of packets, so that as soon as more have arrived than were sent, the clocks are known to be apart.
 */
#include "wire/intercept/check_own.h"

#include <string.h>

enum { SETTLED_PART = 4 }; /* of the table, for findings that are settled */

/* ---- what a packet changes ---- */

void wire_icpt_touch(struct wire_intercept_check *check, const struct wire_intercept_check_entry *entry)
{
    struct wire_intercept_log *log = check->log;
    size_t place = (size_t)(entry - check->entries);

    if (entry->kind == CHECK_LINK || entry->kind == CHECK_CARD) {
        return; /* what messages make of them is a doubt at most, and stays */
    }
    for (unsigned i = 0; log && i < log->count; i++) {
        if (log->places[i] == place) {
            return;
        }
    }
    if (log && log->count < WIRE_INTERCEPT_LOG) {
        log->places[log->count] = place;
        log->before[log->count++] = *entry;
    } else if (log) {
        log->is_whole = false;
    }
}

static void undo(struct wire_intercept_check *check, const struct wire_intercept_log *log)
{
    for (unsigned i = 0; i < log->count; i++) {
        struct wire_intercept_check_entry *entry = &check->entries[log->places[i]];
        struct check_order order = entry->of.pair.order;

        *entry = log->before[i];
        if (entry->kind == CHECK_PAIR) {
            entry->of.pair.order = order; /* which is of the capture */
        }
    }
    check->messages -= log->begun;
}

/* ---- judging ---- */

static uint64_t violations_of(const struct wire_intercept_heard *heard)
{
    uint64_t found = 0;

    for (unsigned i = 0; i < heard->finding_count; i++) {
        found |= UINT64_C(1) << heard->findings[i].violation;
    }
    return found;
}

/* Judges a packet; counts how many rules it breaks, and whether it came to nothing for want of another one. */
static void judge(struct wire_intercept_check *check, struct wire_intercept_log *log,
                  struct wire_intercept_heard *heard)
{
    unsigned told = heard->finding_count;
    uint64_t before = violations_of(heard), messages = check->messages;

    check->in_vain = false;
    check->log = log;
    log->count = 0;
    wire_icpt_rmpp(check, heard);
    wire_icpt_vdma(check, heard);
    check->log = NULL;
    log->begun = check->messages - messages;
    log->broken = heard->finding_count - told + check->in_vain;
    log->found = violations_of(heard) & ~before;
}

/* Keeps a packet as it is before it is judged, in the place of the oldest one. */
static struct wire_intercept_log *keep(struct wire_intercept_check *check, const struct wire_intercept_heard *heard,
                                       const unsigned char *octets, size_t len)
{
    uint8_t place = check->log_order[0];
    struct wire_intercept_log *log = &check->logs[place];

    memmove(check->log_order, check->log_order + 1, WIRE_INTERCEPT_LOGS - 1);
    check->log_order[WIRE_INTERCEPT_LOGS - 1] = place;
    log->heard = *heard;
    log->is_whole = len <= sizeof log->octets;
    if (log->is_whole) {
        memcpy(log->octets, octets, len);
        log->heard.frame.data = heard->frame.data ? log->octets + (heard->frame.data - octets) : NULL;
    }
    return log;
}

/* What is found of a pair between two frames is explained by their places. */
static void explain(struct check_order *order, uint64_t from, uint64_t until)
{
    order->misplaced_from = order->misplaced_from ? order->misplaced_from : from;
    order->misplaced_until = until > order->misplaced_until ? until : order->misplaced_until;
}

void wire_icpt_settle(struct wire_intercept_check *check, const struct wire_intercept_basis *basis,
                      enum wire_intercept_violation violation)
{
    bool has_room = check->settled < check->entry_count / SETTLED_PART;
    struct check_pair *pair;

    if (has_room && wire_icpt_make(check, CHECK_SETTLED, basis->at, violation)) {
        check->settled++;
        return;
    }
    pair = wire_icpt_pair_of(check, basis->from, basis->to);
    if (pair) {
        explain(&pair->order, basis->at, basis->at);
    }
}

/* ---- other orders ---- */

/* The latest packets, as they may have been sent; the places of the first so many are not in question. */
struct sequence {
    uint8_t places[WIRE_INTERCEPT_LOGS];
    unsigned first, broken;
};

static unsigned broken_in(const struct wire_intercept_check *check, const struct sequence *of)
{
    unsigned broken = 0;

    for (unsigned i = of->first; i < WIRE_INTERCEPT_LOGS; i++) {
        broken += check->logs[of->places[i]].broken;
    }
    return broken;
}

/* The last packet and those close before it, as they are. */
static struct sequence latest(const struct wire_intercept_check *check)
{
    struct sequence made = {.first = WIRE_INTERCEPT_LOGS};
    uint64_t at = check->logs[check->log_order[WIRE_INTERCEPT_LOGS - 1]].heard.basis.at;

    memcpy(made.places, check->log_order, sizeof made.places);
    while (made.first > 0) {
        const struct wire_intercept_log *log = &check->logs[made.places[made.first - 1]];

        if (!log->is_whole || at - log->heard.basis.at > CHECK_CLOSE) {
            break;
        }
        made.first--;
    }
    made.broken = broken_in(check, &made);
    return made;
}

static void take_back(struct wire_intercept_check *check, const struct sequence *of)
{
    for (unsigned i = WIRE_INTERCEPT_LOGS; i-- > of->first;) {
        undo(check, &check->logs[of->places[i]]);
    }
}

/* Judges all of them in this order; of the one that stands at `place`, tells what is found. */
static void judge_all(struct wire_intercept_check *check, struct sequence *of, uint8_t place,
                      struct wire_intercept_heard *told)
{
    for (unsigned i = of->first; i < WIRE_INTERCEPT_LOGS; i++) {
        struct wire_intercept_log *log = &check->logs[of->places[i]];
        struct wire_intercept_heard heard = log->heard;

        judge(check, log, &heard);
        *told = of->places[i] == place ? heard : *told;
    }
    of->broken = broken_in(check, of);
}

/* Whether two packets keep their order, wherever they stand: those of one direction of a link, or all of one card. */
static bool stay_together(const struct wire_intercept_log *log, const struct wire_intercept_log *other, bool of_card)
{
    const struct wire_intercept_basis *one = &log->heard.basis, *two = &other->heard.basis;

    return (one->link == two->link && one->side == two->side) || (of_card && one->from == two->from);
}

/* Which of the packets from `from` on come before the others: those that stay together with the last one, or all that
 * do not with the first. */
enum turn { LAST_FIRST, LAST_CARD_FIRST, FIRST_LAST, FIRST_CARD_LAST, TURNS };

static struct sequence turned(const struct wire_intercept_check *check, const struct sequence *of, unsigned from,
                              enum turn turn)
{
    bool of_last = turn == LAST_FIRST || turn == LAST_CARD_FIRST;
    bool of_card = turn == LAST_CARD_FIRST || turn == FIRST_CARD_LAST;
    const struct wire_intercept_log *one = &check->logs[of->places[of_last ? WIRE_INTERCEPT_LOGS - 1U : from]];
    struct sequence made = *of;
    uint8_t others[WIRE_INTERCEPT_LOGS];
    unsigned at = from, other_count = 0;

    for (unsigned i = from; i < WIRE_INTERCEPT_LOGS; i++) {
        if (stay_together(&check->logs[of->places[i]], one, of_card) == of_last) {
            made.places[at++] = of->places[i];
        } else {
            others[other_count++] = of->places[i];
        }
    }
    memcpy(made.places + at, others, other_count);
    return made;
}

/* The order in which the fewest rules are broken: as it is, or with the last packet before one that is in question. */
static struct sequence best_order(struct wire_intercept_check *check, const struct sequence *of)
{
    uint8_t place = of->places[WIRE_INTERCEPT_LOGS - 1];
    struct sequence best = *of;
    struct wire_intercept_heard heard;
    bool is_broken[WIRE_INTERCEPT_LOGS];

    for (unsigned i = 0; i < WIRE_INTERCEPT_LOGS; i++) {
        is_broken[i] = check->logs[place].broken > 0 || check->logs[of->places[i]].broken > 0;
    }
    take_back(check, of);
    check->is_trying = true;
    for (unsigned from = WIRE_INTERCEPT_LOGS - 1; from-- > of->first && best.broken > 0;) {
        for (unsigned turn = 0; is_broken[from] && turn < TURNS; turn++) {
            struct sequence other = turned(check, of, from, (enum turn)turn);

            if (memcmp(other.places, of->places, sizeof other.places) != 0) {
                judge_all(check, &other, place, &heard);
                take_back(check, &other);
                best = other.broken < best.broken ? other : best;
            }
        }
    }
    check->is_trying = false;
    return best;
}

/* What was told of packets and is not found any more has been explained by the last one. */
static void settle_all(struct wire_intercept_check *check, const struct sequence *of)
{
    for (unsigned i = of->first; i < WIRE_INTERCEPT_LOGS; i++) {
        struct wire_intercept_log *log = &check->logs[of->places[i]];

        for (unsigned violation = 0; violation < WIRE_INTERCEPT_VIOLATIONS; violation++) {
            if ((log->told & ~log->found) >> violation & 1) {
                wire_icpt_settle(check, &log->heard.basis, (enum wire_intercept_violation)violation);
            }
        }
        log->told &= log->found;
    }
}

void wire_icpt_judge(struct wire_intercept_check *check, struct wire_intercept_heard *heard,
                     const unsigned char *octets, size_t len)
{
    struct wire_intercept_log *log = keep(check, heard, octets, len);
    struct wire_intercept_heard again = *heard;
    struct sequence now, best;

    judge(check, log, heard);
    log->told = log->found;
    now = latest(check);
    if (check->is_ordered || now.broken == 0 || now.first + 1 >= WIRE_INTERCEPT_LOGS) {
        return;
    }
    best = best_order(check, &now);
    judge_all(check, &best, now.places[WIRE_INTERCEPT_LOGS - 1], &again);
    memcpy(check->log_order, best.places, sizeof best.places);
    log->told = log->found;
    settle_all(check, &best);
    heard->late = again.late;
    heard->finding_count = again.finding_count;
    memcpy(heard->findings, again.findings, sizeof heard->findings);
}

/* ---- clocks ---- */

/* The link of a card on a plane, or NULL. */
static const struct check_link *link_on(struct wire_intercept_check *check, uint16_t iuca, unsigned plane)
{
    const struct wire_intercept_check_entry *card = wire_icpt_find(check, CHECK_CARD, iuca, 0);
    uint64_t number = card ? card->of.card.links[plane] : 0;
    const struct wire_intercept_check_entry *entry = number ? wire_icpt_find(check, CHECK_LINK, number, 0) : NULL;

    return entry && entry->of.link.known ? &entry->of.link : NULL;
}

/* Whether more packets have arrived over a plane than were sent. */
static bool is_ahead(struct wire_intercept_check *check, const struct check_order *order, uint16_t from)
{
    for (unsigned plane = 0; plane < CHECK_PLANES; plane++) {
        const struct check_link *link = link_on(check, from, plane);

        if (link && order->arrived[plane] > order->sent[plane] + link->ways[link->side].skipped) {
            return true;
        }
    }
    return false;
}

void wire_icpt_pass(struct wire_intercept_check *check, const struct check_link *at,
                    const struct wire_intercept_heard *heard)
{
    const struct wire_intercept_frame *frame = &heard->frame;
    bool leaves = heard->basis.side == at->side;
    unsigned plane = at->plane - 1U;
    bool is_known = at->known && link_on(check, frame->source, plane);
    struct check_pair *pair = is_known ? wire_icpt_pair_of(check, frame->source, frame->destination) : NULL;
    struct check_order *order;

    if (!pair || heard->again || (frame->flags & WIRE_INTERCEPT_FLAG_MULTICAST) ||
        (leaves ? frame->source : frame->destination) != at->iuca) {
        return;
    }
    order = &pair->order;
    *(leaves ? &order->sent[plane] : &order->arrived[plane]) += 1;
    if (is_ahead(check, order, frame->source)) {
        order->ahead_at = order->ahead_at ? order->ahead_at : check->frames;
    } else if (order->ahead_at) {
        explain(order, order->ahead_at, check->frames);
        order->ahead_at = 0;
    }
    if (order->ahead_at && check->frames - order->ahead_at > CHECK_CLOSE) {
        explain(order, order->ahead_at, UINT64_MAX);
    }
}

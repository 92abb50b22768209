/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker's view of order (check_own.h). Frames of different links, or of the two directions of one, that stand one
 * right behind the other in a capture may have been sent in the other order: no sequence tells, and who captures on
 * several interfaces or processors writes them down as they reach him. So where the second of two packets meets a
 * violation, its own or the first one's, both are taken back and judged in the other order. If fewer rules are broken
 * then, that is how it goes on, and what was found of the first one is explained.
 *
 * Where the links of two cards are captured by different clocks, more frames may stand in a wrong place. A plane keeps
 * the order of packets, so that as soon as more have arrived than were sent, the clocks are known to be apart.
 */
#include "wire/intercept/check_own.h"

#include <string.h>

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

/* Judges a packet. How many rules it breaks, and whether it came to nothing for want of another one. */
static unsigned judge(struct wire_intercept_check *check, struct wire_intercept_log *log,
                      struct wire_intercept_heard *heard)
{
    unsigned told = heard->finding_count;
    uint64_t messages = check->messages;

    check->in_vain = false;
    check->log = log;
    log->count = 0;
    wire_icpt_rmpp(check, heard);
    wire_icpt_vdma(check, heard);
    check->log = NULL;
    log->begun = check->messages - messages;
    return heard->finding_count - told + check->in_vain;
}

/* Keeps a packet as it is before it is judged. */
static void keep(struct wire_intercept_log *log, const struct wire_intercept_heard *heard, const unsigned char *octets,
                 size_t len)
{
    log->heard = *heard;
    log->is_whole = len <= sizeof log->octets;
    if (log->is_whole) {
        memcpy(log->octets, octets, len);
        log->heard.frame.data = heard->frame.data ? log->octets + (heard->frame.data - octets) : NULL;
    }
}

static bool are_neighbours(const struct wire_intercept_log *first, const struct wire_intercept_log *second)
{
    const struct wire_intercept_basis *one = &first->heard.basis, *other = &second->heard.basis;

    return one->at + 1 == other->at && (one->link != other->link || one->side != other->side) && first->is_whole &&
           second->is_whole;
}

/* What is found of a pair between two frames is explained by their places. */
static void explain(struct check_order *order, uint64_t from, uint64_t until)
{
    order->misplaced_from = order->misplaced_from ? order->misplaced_from : from;
    order->misplaced_until = until > order->misplaced_until ? until : order->misplaced_until;
}

/* Judges the second packet before the first. */
static void judge_turned(struct wire_intercept_check *check, struct wire_intercept_log *first,
                         struct wire_intercept_log *second, struct wire_intercept_heard *heard)
{
    struct wire_intercept_heard earlier = second->heard, later = first->heard;
    unsigned broken = first->broken + second->broken;
    struct check_pair *pair;

    undo(check, second);
    undo(check, first);
    if (judge(check, first, &earlier) + judge(check, second, &later) < broken) {
        pair = wire_icpt_pair_of(check, later.basis.from, later.basis.to);
        if (pair) {
            explain(&pair->order, later.basis.at, later.basis.at);
        }
        heard->late = earlier.late;
        heard->finding_count = earlier.finding_count;
        memcpy(heard->findings, earlier.findings, sizeof heard->findings);
        second->is_whole = false; /* it is not the last one any more */
        return;
    }
    undo(check, second);
    undo(check, first);
    earlier = first->heard;
    later = second->heard;
    (void)judge(check, first, &earlier);
    (void)judge(check, second, &later);
}

void wire_icpt_judge(struct wire_intercept_check *check, struct wire_intercept_heard *heard,
                     const unsigned char *octets, size_t len)
{
    struct wire_intercept_log *first = &check->logs[check->turn];
    struct wire_intercept_log *second = &check->logs[!check->turn];

    check->turn = !check->turn;
    keep(second, heard, octets, len);
    second->broken = judge(check, second, heard);
    if (!check->is_ordered && first->broken + second->broken > 0 && are_neighbours(first, second)) {
        judge_turned(check, first, second, heard);
    }
}

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

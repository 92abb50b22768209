/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The link; see link.h. Sequences are octets, and all comparisons are made on their differences modulo 256.
 *
 *      sequence - the next one, at the receiver
 *      0            its turn: deliver, acknowledge; or hold it            (IW-21)
 *      before       held: it will be acknowledged when it is delivered
 *      -7 .. -1     (before those) the acknowledgement was lost: again    (IW-23)
 *      1 .. 6       one before it was lost: ask for that one, once        (IW-22, IW-23)
 *      others       discard
 */
#include "ref-impl/intercept/link.h"

#include <string.h>

enum {
    TIMER_NS = 20000, /* in virtual time (IW-24) */
    LONGEST = 64,     /* timers that it waits at most (IW-24) */
    LATELY = 64,      /* acknowledgements that a measure lasts for */
};

void intercept_link_begin(struct intercept_link *link, const struct intercept_link_ops *ops, void *owner,
                          unsigned plane)
{
    *link = (struct intercept_link){
        .ops = ops, .owner = owner, .plane = plane, .timing = {.timer_ns = TIMER_NS, .longest = LONGEST}};
}

void intercept_link_timing(struct intercept_link *link, const struct intercept_timing *timing)
{
    link->timing = *timing;
}

void intercept_link_reset(struct intercept_link *link)
{
    for (int slot = 0; slot < ICPT_WINDOW_SLOTS; slot++) {
        link->window[slot].waiting = false;
    }
    link->oldest = link->next = link->expected = 0;
    link->deadline_ns = 0;
    link->expiries = 0;
    link->measure = (struct intercept_measure){.doublings = 0};
    link->is_dead = link->has_asked = false;
    link->held = 0;
}

/* ---- sending ---- */

//= ICPT-062
static struct intercept_outgoing *slot_of(struct intercept_link *link, uint8_t sequence)
{
    return &link->window[sequence % ICPT_WINDOW_SLOTS];
}

unsigned intercept_link_outstanding(const struct intercept_link *link)
{
    unsigned waiting = 0;

    for (int slot = 0; slot < ICPT_WINDOW_SLOTS; slot++) {
        waiting += link->window[slot].waiting;
    }
    return waiting;
}

/* The oldest and the next sequence are never further apart than the window, even where acknowledgements between them
 * have come: what the receiver has accepted stays within the seven that it knows. */
//= ICPT-009
bool intercept_link_has_room(const struct intercept_link *link)
{
    return link->is_dead || (uint8_t)(link->next - link->oldest) < ICPT_WINDOW;
}

/* ---- the timer ---- */

/* How many timers long it waits: twice as long as acknowledgements took lately, and twice that for each time that it
 * waited in vain since the last one was measured. */
static unsigned timers_to_wait(const struct intercept_link *link)
{
    const struct intercept_measure *measure = &link->measure;
    uint64_t longest_ns = measure->longest_ns > measure->before_ns ? measure->longest_ns : measure->before_ns;
    uint64_t timers = (2 * longest_ns + link->timing.timer_ns - 1) / link->timing.timer_ns;
    unsigned longest = link->timing.longest;

    timers = timers < 1 ? 1 : timers > longest ? longest : timers;
    timers <<= measure->doublings;
    return timers > longest ? longest : (unsigned)timers;
}

/* A packet that was sent once has been acknowledged. Of one that was sent again nobody knows which is meant. */
static void measure_take(struct intercept_measure *measure, uint64_t took_ns)
{
    measure->doublings = 0;
    measure->longest_ns = took_ns > measure->longest_ns ? took_ns : measure->longest_ns;
    if (++measure->count == LATELY) {
        *measure = (struct intercept_measure){.before_ns = measure->longest_ns};
    }
}

static void measure_double(struct intercept_measure *measure, unsigned longest)
{
    if (1U << measure->doublings < longest) {
        measure->doublings++;
    }
}

static void link_arm(struct intercept_link *link, uint64_t at_ns)
{
    link->deadline_ns = at_ns + link->timing.timer_ns * timers_to_wait(link);
    if (link->ops->arm) {
        link->ops->arm(link->owner, link->deadline_ns);
    }
}

bool intercept_link_send(struct intercept_link *link, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct intercept_outgoing *slot = slot_of(link, link->next);

    if (!intercept_link_has_room(link)) {
        return false;
    }
    if (link->is_dead) {
        return true;
    }
    memcpy(slot->octets, octets, len - WIRE_INTERCEPT_CRC_OCTETS);
    slot->len = (uint16_t)len;
    slot->waiting = slot->is_first = true;
    slot->sent_ns = at_ns;
    intercept_cable_seal(slot->octets, len, link->next);
    if (link->oldest == link->next) {
        link_arm(link, at_ns);
    }
    link->next++;
    link->counts.packets_sent++;
    link->ops->transmit(link->owner, slot->octets, len, at_ns);
    return true;
}

void intercept_link_withdraw(struct intercept_link *link, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    unsigned char frame[WIRE_INTERCEPT_FRAME_MAX];

    memcpy(frame, octets, len);
    intercept_cable_withdraw(frame, len, link->next);
    link->ops->transmit(link->owner, frame, len, at_ns);
}

/* Sends again all that waits, from that sequence on: go-back (D6). */
//= ICPT-063
//= ICPT-283
static void send_again(struct intercept_link *link, uint8_t from, uint64_t at_ns)
{
    for (uint8_t sequence = from; sequence != link->next; sequence++) {
        struct intercept_outgoing *slot = slot_of(link, sequence);

        if (slot->waiting) {
            slot->is_first = false;
            link->counts.packets_again++;
            link->ops->transmit(link->owner, slot->octets, slot->len, at_ns);
        }
    }
    if (link->oldest != link->next) {
        link_arm(link, at_ns);
    }
}

static bool is_outstanding(const struct intercept_link *link, uint8_t sequence)
{
    return (uint8_t)(sequence - link->oldest) < (uint8_t)(link->next - link->oldest);
}

static void take_acknowledgement(struct intercept_link *link, uint8_t sequence, uint64_t at_ns)
{
    struct intercept_outgoing *slot = slot_of(link, sequence);
    uint8_t before = link->oldest;

    if (!is_outstanding(link, sequence)) {
        return; /* IW-25 */
    }
    if (slot->waiting && slot->is_first && at_ns >= slot->sent_ns) {
        measure_take(&link->measure, at_ns - slot->sent_ns);
    }
    slot->waiting = false;
    link->expiries = 0;
    while (link->oldest != link->next && !slot_of(link, link->oldest)->waiting) {
        link->oldest++;
    }
    if (link->oldest == link->next) {
        link->deadline_ns = 0;
    } else if (link->oldest != before) {
        link_arm(link, at_ns);
    }
    if (link->oldest != before && link->ops->room) {
        link->ops->room(link->owner, at_ns);
    }
}

//= ICPT-018
static void link_die(struct intercept_link *link, uint64_t at_ns)
{
    link->is_dead = true;
    link->deadline_ns = 0;
    if (link->ops->dead) {
        link->ops->dead(link->owner, at_ns);
    }
    for (int slot = 0; slot < ICPT_WINDOW_SLOTS; slot++) {
        link->window[slot].waiting = false;
    }
    link->oldest = link->next;
}

uint64_t intercept_link_deadline(const struct intercept_link *link)
{
    return link->deadline_ns;
}

//= IW-24
//= ICPT-010
void intercept_link_expire(struct intercept_link *link, uint64_t now_ns)
{
    if (link->deadline_ns == 0 || now_ns < link->deadline_ns) {
        return;
    }
    link->expiries += timers_to_wait(link);
    measure_double(&link->measure, link->timing.longest);
    if (link->timing.patience != 0 && link->expiries >= link->timing.patience) {
        link_die(link, now_ns);
        return;
    }
    send_again(link, link->oldest, now_ns);
}

/* ---- receiving ---- */

static void answer(struct intercept_link *link, enum wire_intercept_kind kind, uint8_t sequence, uint64_t at_ns)
{
    unsigned char frame[ICPT_ANSWER_OCTETS];

    intercept_cable_answer(frame, kind, link->plane, sequence);
    link->ops->transmit(link->owner, frame, sizeof frame, at_ns);
}

static void acknowledge(struct intercept_link *link, uint8_t sequence, uint64_t at_ns)
{
    link->counts.acknowledged++;
    answer(link, WIRE_INTERCEPT_ACKNOWLEDGE, sequence, at_ns);
}

/* The sequence that is to come next. */
static uint8_t next_of(const struct intercept_link *link)
{
    return (uint8_t)(link->expected + link->held);
}

static void ask(struct intercept_link *link, uint64_t at_ns)
{
    link->has_asked = true;
    link->counts.asked++;
    answer(link, WIRE_INTERCEPT_RETRANSMIT, next_of(link), at_ns);
}

static bool deliver(struct intercept_link *link, const unsigned char *octets, size_t len,
                    struct intercept_moment moment)
{
    if (!link->ops->deliver(link->owner, octets, len, moment.head_ns)) {
        return false;
    }
    link->expected++;
    link->counts.packets_taken++;
    acknowledge(link, intercept_cable_sequence(octets), moment.tail_ns);
    return true;
}

/* Keeps a packet for which there is no room, or which is behind one. Who keeps the rules sends no more than fit. */
static void hold(struct intercept_link *link, const unsigned char *octets, size_t len, uint64_t tail_ns)
{
    struct intercept_incoming *held = &link->holds[(link->first_held + link->held) % ICPT_WINDOW];

    if (link->held < ICPT_WINDOW) {
        link->counts.packets_refused += link->held == 0;
        held->len = (uint16_t)len;
        held->tail_ns = tail_ns;
        memcpy(held->octets, octets, len);
        link->held++;
    }
}

//= IW-21
//= IW-22
//= IW-23
//= ICPT-006
//= ICPT-007
//= ICPT-011
//= ICPT-020
static void take_packet(struct intercept_link *link, const unsigned char *octets, size_t len,
                        struct intercept_moment moment)
{
    uint8_t sequence = intercept_cable_sequence(octets);
    uint8_t ahead = (uint8_t)(sequence - next_of(link));
    uint8_t behind = (uint8_t)(next_of(link) - sequence);

    if (ahead == 0) {
        link->has_asked = false;
        if (link->held > 0 || !deliver(link, octets, len, moment)) {
            hold(link, octets, len, moment.tail_ns);
        }
    } else if (behind <= link->held) {
        link->counts.duplicates++;
    } else if (behind <= link->held + ICPT_WINDOW) {
        link->counts.duplicates++;
        acknowledge(link, sequence, moment.tail_ns);
    } else if (ahead < ICPT_WINDOW) {
        link->counts.gaps++;
        if (!link->has_asked) {
            ask(link, moment.tail_ns);
        }
    }
}

static void take_frame(struct intercept_link *link, const unsigned char *octets, size_t len,
                       struct intercept_moment moment)
{
    uint8_t sequence = intercept_cable_sequence(octets);
    unsigned kind = intercept_cable_kind(octets);

    if (kind != WIRE_INTERCEPT_ACKNOWLEDGE && kind != WIRE_INTERCEPT_RETRANSMIT) {
        take_packet(link, octets, len, moment);
    } else if (!intercept_cable_is_answer(octets, link->plane)) {
        return; /* IW-02: it says what it must not */
    } else if (kind == WIRE_INTERCEPT_ACKNOWLEDGE) {
        take_acknowledgement(link, sequence, moment.tail_ns);
    } else if (is_outstanding(link, sequence)) {
        send_again(link, sequence, moment.tail_ns);
    }
}

//= ICPT-004
//= ICPT-008
void intercept_link_receive(struct intercept_link *link, const unsigned char *octets, size_t len,
                            struct intercept_moment moment)
{
    switch (intercept_cable_judge(octets, len)) {
    case ICPT_GOOD:
        take_frame(link, octets, len, moment);
        break;
    case ICPT_CORRUPT:
        link->counts.corrupt++;
        if (link->ops->damaged) {
            link->ops->damaged(link->owner, octets, len, moment.head_ns);
        }
        ask(link, moment.tail_ns);
        break;
    case ICPT_WITHDRAWN:
        link->counts.withdrawn++;
        break;
    case ICPT_FOREIGN:
        break;
    }
}

//= ICPT-059
void intercept_link_resume(struct intercept_link *link, uint64_t at_ns)
{
    while (link->held > 0) {
        const struct intercept_incoming *first = &link->holds[link->first_held];
        uint64_t tail_ns = first->tail_ns > at_ns ? first->tail_ns : at_ns;

        if (!deliver(link, first->octets, first->len, (struct intercept_moment){at_ns, tail_ns})) {
            return;
        }
        link->held--;
        link->first_held = (link->first_held + 1) % ICPT_WINDOW;
    }
}

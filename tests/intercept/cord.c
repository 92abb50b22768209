/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a link that a test holds; see cord.h.
 */
#include "tests/intercept/cord.h"

#include "wire/intercept/frame.h"

#include <string.h>

static void cord_transmit(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct cord *cord = owner;
    struct cord_frame *frame = &cord->frames[cord->count % CORD_FRAMES];

    (void)at_ns;
    memcpy(frame->octets, octets, len);
    frame->len = len;
    cord->count++;
}

static bool cord_deliver(void *owner, const unsigned char *octets, size_t len, uint64_t at_ns)
{
    struct cord *cord = owner;

    (void)len;
    (void)at_ns;
    if (cord->is_full) {
        return false;
    }
    cord->delivered++;
    cord->last = intercept_cable_destination(octets);
    return true;
}

static void cord_room(void *owner, uint64_t at_ns)
{
    (void)at_ns;
    ((struct cord *)owner)->rooms++;
}

static void cord_dead(void *owner, uint64_t at_ns)
{
    (void)at_ns;
    ((struct cord *)owner)->deaths++;
}

void cord_begin(struct cord *cord)
{
    static const struct intercept_link_ops ops = {
        .transmit = cord_transmit, .deliver = cord_deliver, .room = cord_room, .dead = cord_dead};

    memset(cord, 0, sizeof *cord);
    intercept_link_begin(&cord->link, &ops, cord, 2);
}

size_t cord_packet(unsigned char *octets, uint8_t sequence, uint16_t number)
{
    static const unsigned char payload[16] = "sixteen octets..";
    struct wire_intercept_frame frame = {.message = WIRE_INTERCEPT_SHORT_MESSAGE,
                                         .planes = 15,
                                         .sequence = sequence,
                                         .destination = number,
                                         .data = payload,
                                         .data_len = sizeof payload};
    size_t len = 0;

    wire_intercept_complete(&frame);
    return wire_intercept_encode(&frame, octets, WIRE_INTERCEPT_FRAME_MAX, &len) == WIRE_OK ? len : 0;
}

bool cord_send(struct cord *cord, uint16_t number, uint64_t now_ns)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = cord_packet(octets, 0, number);

    return intercept_link_send(&cord->link, octets, len, now_ns);
}

void cord_hear(struct cord *cord, uint8_t sequence, uint16_t number)
{
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = cord_packet(octets, sequence, number);

    intercept_link_receive(&cord->link, octets, len, (struct intercept_moment){0, 0});
}

void cord_answer(struct cord *cord, enum wire_intercept_kind kind, uint8_t sequence, uint64_t now_ns)
{
    unsigned char octets[ICPT_ANSWER_OCTETS];

    intercept_cable_answer(octets, kind, 2, sequence);
    intercept_link_receive(&cord->link, octets, sizeof octets, (struct intercept_moment){now_ns, now_ns});
}

bool cord_is(const struct cord *cord, unsigned i, unsigned kind, uint8_t sequence)
{
    const unsigned char *octets = cord->frames[i % CORD_FRAMES].octets;

    return i < cord->count && intercept_cable_judge(octets, cord->frames[i % CORD_FRAMES].len) == ICPT_GOOD &&
           intercept_cable_kind(octets) == kind && intercept_cable_sequence(octets) == sequence;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The switch's end of a cable (link.h). Sequences are octets; what is compared are their differences modulo 256.
 */
#include "tester/peers/link.h"

#include "wire/intercept/crc32.h"
#include "wire/intercept/frame.h"
#include "wire/octets/cursor.h"

#include <string.h>

enum { QUEUE_MAX = 16 << 20, KIND_AT = 0, SEQUENCE_AT = 3, LENGTH_OCTETS = 2 };

void link_reset(struct link_end *link)
{
    for (unsigned i = 0; i < LINK_SLOTS; i++) {
        link->slots[i].waiting = false;
    }
    link->expected = link->oldest = link->next = 0;
    link->has_asked = false;
    link->queue.limit = QUEUE_MAX;
    buffer_take(&link->queue, link->queue.len);
    link->queued = 0;
}

void link_release(struct link_end *link)
{
    buffer_release(&link->queue);
}

void link_seal(unsigned char *octets, size_t len, uint8_t sequence)
{
    struct wire_writer writer = wire_writer_over(octets + len - WIRE_INTERCEPT_CRC_OCTETS, WIRE_INTERCEPT_CRC_OCTETS);

    octets[SEQUENCE_AT] = sequence;
    wire_write_u32(&writer, wire_intercept_crc32(0, octets, len - WIRE_INTERCEPT_CRC_OCTETS));
}

/* ---- sending ---- */

static void send_now(struct link_end *link, const unsigned char *octets, size_t len, int64_t now_ms)
{
    unsigned slot = link->next % LINK_SLOTS;

    memcpy(link->slots[slot].octets, octets, len);
    link->slots[slot].len = len;
    link->slots[slot].waiting = true;
    link_seal(link->slots[slot].octets, len, link->next);
    if (link->oldest == link->next) {
        link->sent_ms = now_ms;
    }
    link->next++;
    link->transmit(link->owner, link->slots[slot].octets, len);
}

static bool has_room(const struct link_end *link)
{
    return (uint8_t)(link->next - link->oldest) < LINK_WINDOW;
}

void link_send(struct link_end *link, const unsigned char *octets, size_t len, int64_t now_ms)
{
    unsigned char head[LENGTH_OCTETS] = {(unsigned char)(len >> 8), (unsigned char)len};

    if (link->queued == 0 && has_room(link)) {
        send_now(link, octets, len, now_ms);
    } else if (buffer_append(&link->queue, head, sizeof head) && buffer_append(&link->queue, octets, len)) {
        link->queued++;
    }
}

static void flush(struct link_end *link, int64_t now_ms)
{
    while (link->queued > 0 && has_room(link)) {
        size_t len = (size_t)link->queue.octets[0] << 8 | link->queue.octets[1];

        send_now(link, link->queue.octets + LENGTH_OCTETS, len, now_ms);
        buffer_take(&link->queue, LENGTH_OCTETS + len);
        link->queued--;
    }
}

static void send_again(struct link_end *link, uint8_t from, int64_t now_ms)
{
    for (uint8_t sequence = from; sequence != link->next; sequence++) {
        unsigned slot = sequence % LINK_SLOTS;

        if (link->slots[slot].waiting) {
            link->transmit(link->owner, link->slots[slot].octets, link->slots[slot].len);
        }
    }
    link->sent_ms = now_ms;
}

unsigned link_outstanding(const struct link_end *link)
{
    unsigned waiting = link->queued;

    for (unsigned i = 0; i < LINK_SLOTS; i++) {
        waiting += link->slots[i].waiting;
    }
    return waiting;
}

void link_expire(struct link_end *link, int64_t now_ms)
{
    if (link->repeats && link->oldest != link->next && now_ms - link->sent_ms >= LINK_TIMER_MS) {
        send_again(link, link->oldest, now_ms);
    }
}

static bool is_outstanding(const struct link_end *link, uint8_t sequence)
{
    return (uint8_t)(sequence - link->oldest) < (uint8_t)(link->next - link->oldest);
}

static void take_answer(struct link_end *link, const unsigned char *octets, int64_t now_ms)
{
    uint8_t sequence = octets[SEQUENCE_AT];

    link->asked += octets[KIND_AT] == WIRE_INTERCEPT_RETRANSMIT;
    if (!is_outstanding(link, sequence)) {
        return;
    }
    if (octets[KIND_AT] == WIRE_INTERCEPT_RETRANSMIT) {
        if (link->repeats) {
            send_again(link, sequence, now_ms);
        }
        return;
    }
    link->slots[sequence % LINK_SLOTS].waiting = false;
    while (link->oldest != link->next && !link->slots[link->oldest % LINK_SLOTS].waiting) {
        link->oldest++;
        link->sent_ms = now_ms;
    }
    flush(link, now_ms);
}

/* ---- receiving ---- */

static void answer(struct link_end *link, enum wire_intercept_message message, uint8_t sequence)
{
    struct wire_intercept_frame frame = {
        .message = message, .planes = (uint8_t)(1U << link->plane), .sequence = sequence};
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
    size_t len = 0;

    wire_intercept_complete(&frame);
    if (wire_intercept_encode(&frame, octets, sizeof octets, &len) == WIRE_OK) {
        link->transmit(link->owner, octets, len);
    }
}

static void ask(struct link_end *link)
{
    link->has_asked = true;
    answer(link, WIRE_INTERCEPT_LINK_RETRANSMIT, link->expected);
}

static bool take_packet(struct link_end *link, uint8_t sequence)
{
    if (sequence == link->expected) {
        link->expected++;
        link->has_asked = false;
        answer(link, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, sequence);
        return true;
    }
    if ((uint8_t)(link->expected - sequence) <= LINK_WINDOW) {
        link->again++;
        answer(link, WIRE_INTERCEPT_LINK_ACKNOWLEDGE, sequence);
    } else if ((uint8_t)(sequence - link->expected) < LINK_WINDOW && !link->has_asked) {
        ask(link);
    }
    return false;
}

bool link_receive(struct link_end *link, const unsigned char *octets, size_t len, int64_t now_ms)
{
    struct wire_intercept_frame frame;
    size_t frame_octets = 0;
    bool sound = wire_intercept_decode(octets, len, &frame, &frame_octets) == WIRE_OK && frame_octets == len;
    bool is_answer = sound && (frame.kind == WIRE_INTERCEPT_ACKNOWLEDGE || frame.kind == WIRE_INTERCEPT_RETRANSMIT);

    if (is_answer) {
        take_answer(link, octets, now_ms);
    }
    if (!link->acknowledges) {
        return true;
    }
    if (is_answer) {
        return false;
    }
    if (!sound) {
        ask(link);
        return false;
    }
    return take_packet(link, frame.sequence);
}

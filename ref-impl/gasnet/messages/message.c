/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Active messages as they travel: see message.h.
 */
#include "ref-impl/gasnet/messages/message.h"

#include <string.h>

#include "ref-impl/gasnet/base/bits.h"
#include "ref-impl/gasnet/base/nodes.h"
#include "ref-impl/gasnet/base/segment.h"

static uint64_t to_8(uint64_t octets)
{
    return (octets + 7) / 8 * 8;
}

static bool is_long(const struct message *message)
{
    return message->kind == GASNETC_LONG || message->kind == GASNETC_LONG_ASYNC;
}

/* How many octets there are before the payload. */
static uint64_t head_octets(const struct message *message)
{
    return (is_long(message) ? 8u : 0u) + to_8(4u * message->count);
}

uint64_t message_body_octets(const struct message *message)
{
    return head_octets(message) + (message->packed ? to_8(message->octets) : 0);
}

/* Whether payload and destination are legal. */
static bool is_legal(const struct message *message)
{
    uint64_t offset;

    if (!is_long(message)) {
        return message->octets <= MEDIUM_MOST;
    }
    return message->octets <= LONG_MOST &&
           segment_offset(message->node, (void *)(uintptr_t)message->destination, message->octets, &offset);
}

bool message_make(uint32_t node, bool request, enum gasnetc_kind kind, const struct gasnetc_arguments *arguments,
                  const struct gasnetc_payload *payload, struct message *message)
{
    *message = (struct message){.node = node,
                                .request = request,
                                .packed = true,
                                .kind = kind,
                                .handler = arguments->handler,
                                .count = arguments->count,
                                .payload = payload->source,
                                .octets = payload->octets,
                                .destination = (uint64_t)(uintptr_t)payload->destination};
    if (arguments->count > ARGUMENTS_MOST || !is_legal(message)) {
        return false;
    }
    if (arguments->count > 0) {
        memcpy(message->arguments, arguments->values, arguments->count * sizeof(*arguments->values));
    }
    if (is_long(message) && message->octets > 0) { //= GASN-122 GASN-137
        message->packed = settings_get()->packed_long && message_body_octets(message) <= CHUNK_OCTETS;
    }
    return true;
}

void message_write(const struct message *message, void *body)
{
    const uint64_t octets = message_body_octets(message), head = head_octets(message);
    unsigned char *at = body;

    memset(body, 0, octets);
    if (is_long(message)) {
        memcpy(at, &message->destination, 8);
        at += 8;
    }
    memcpy(at, message->arguments, 4u * message->count);
    if (message->packed && message->octets > 0) {
        memcpy((unsigned char *)body + head, message->payload, message->octets);
    }
}

uint64_t message_bits(const struct message *message) //= GASN-086
{
    unsigned flags = message->kind == GASNETC_SHORT ? FLAG_SHORT : is_long(message) ? FLAG_LONG : FLAG_MEDIUM;

    flags |= (message->request ? (unsigned)FLAG_REQUEST : 0) | (message->packed ? (unsigned)FLAG_PACKED : 0);
    return (uint64_t)(message->request ? TO_REQRB : TO_REQSB) | (uint64_t)KIND_MESSAGE << 4 | (uint64_t)flags << 8 |
           (uint64_t)message->handler << 16 | (uint64_t)message->count << 24 | (uint64_t)message->chunk << 32;
}

uint64_t message_header(const struct message *message)
{
    return message->credits | message->octets << 8 | (uint64_t)message->number << 40;
}

static void read_bits(uint64_t bits, struct message *message)
{
    const unsigned flags = bits >> 8 & 0xff;

    message->request = flags & FLAG_REQUEST;
    message->packed = flags & FLAG_PACKED;
    message->kind = flags & FLAG_SHORT ? GASNETC_SHORT : flags & FLAG_LONG ? GASNETC_LONG : GASNETC_MEDIUM;
    message->handler = (uint8_t)(bits >> 16);
    message->count = bits >> 24 & 0xff;
    message->chunk = (uint32_t)(bits >> 32);
}

bool message_read(const ptl_event_t *event, struct message *message)
{
    unsigned char *body = (unsigned char *)event->md.start + event->offset;

    *message = (struct message){.credits = (uint8_t)event->hdr_data,
                                .octets = event->hdr_data >> 8 & UINT32_MAX,
                                .number = (uint32_t)(event->hdr_data >> 40)};
    read_bits(event->match_bits, message);
    if (!nodes_find(event->initiator, &message->node) || bits_kind_of(event->match_bits) != KIND_MESSAGE ||
        message->count > ARGUMENTS_MOST || event->mlength != message_body_octets(message)) {
        return false;
    }
    if (is_long(message)) {
        memcpy(&message->destination, body, 8);
    }
    memcpy(message->arguments, body + (is_long(message) ? 8 : 0), 4u * message->count);
    message->payload = body + head_octets(message);
    return true;
}

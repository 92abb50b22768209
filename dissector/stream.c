/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Where each direction of a TCP connection stands (specs/portals-wire.md, chapter 4). Everything here happens on the
 * first pass, when segments come in the order of the capture.
 */
#include "dissector/stream.h"

#include "wire/portals_rules.h"

#include <epan/conversation.h>
#include <epan/wmem_scopes.h>

#include <string.h>

struct stream {
    struct stream_way ways[2];
};

/* The same connection seen from either end gives the same number for the same direction. */
static unsigned way_number(const packet_info *pinfo)
{
    int order = cmp_address(&pinfo->src, &pinfo->dst);

    return order > 0 || (order == 0 && pinfo->srcport > pinfo->destport);
}

struct stream_way *stream_way_of(int proto, packet_info *pinfo, struct stream_way **back)
{
    conversation_t *conversation = find_or_create_conversation(pinfo);
    struct stream *stream = conversation_get_proto_data(conversation, proto);
    unsigned number = way_number(pinfo);

    if (!stream) {
        stream = wmem_new0(wmem_file_scope(), struct stream);
        conversation_add_proto_data(conversation, proto, stream);
    }
    *back = &stream->ways[!number];
    return &stream->ways[number];
}

/* How far the segment is beyond the place where the payload goes on; negative when it is older. */
static int32_t distance(uint32_t from, uint32_t to)
{
    return (int32_t)(to - from);
}

/* Takes from the segment what belongs to the open payload. A gap is octets that the capture lacks; octets from before
 * the expected place are a retransmission, which changes nothing. */
static uint64_t payload_take(struct stream_way *way, tvbuff_t *tvb, const struct tcpinfo *tcp, uint64_t *before)
{
    uint32_t len = tvb_reported_length(tvb);
    uint32_t begin = tcp->nxtseq - len;
    int32_t gap = distance(way->next_seq, begin);
    uint32_t old = gap < 0 ? MIN(len, (uint32_t)-gap) : 0;
    uint64_t missed = gap > 0 ? (uint64_t)gap : 0;
    uint64_t take;

    if (missed >= way->left) {
        way->left = 0;
        way->lost = missed > 0;
        return 0;
    }
    way->left -= missed;
    *before = way->total - way->left;
    take = MIN((uint64_t)(len - old), way->left);
    way->left -= take;
    if (take) {
        way->next_seq = begin + old + (uint32_t)take;
    }
    return old + take;
}

struct stream_start stream_start_of(struct stream_way *way, tvbuff_t *tvb, packet_info *pinfo,
                                    const struct tcpinfo *tcp)
{
    struct stream_start start = {.total = way->total, .payload_frame = way->payload_frame};

    if (way->left && tcp) {
        start.skip = payload_take(way, tvb, tcp, &start.before);
        if (start.skip) {
            return start;
        }
    }
    if (!way->followed && !stream_opens_with_hello(tvb) && !stream_begins_message(tvb, pinfo)) {
        struct wire_portals_header header;
        unsigned char octets[WIRE_PORTALS_HEADER_MAX];
        size_t len = MIN(tvb_captured_length(tvb), sizeof octets);

        tvb_memcpy(tvb, octets, 0, len);
        way->lost = wire_portals_breach_of(wire_portals_decode(octets, len, &header, NULL, NULL)) != WIRE_PORTALS_LEGAL;
        start.lost = way->lost;
        return start;
    }
    if (way->lost) {
        way->lost = !stream_opens_with_hello(tvb) && !stream_begins_message(tvb, pinfo);
    }
    start.lost = way->lost;
    return start;
}

void stream_payload_open(struct stream_way *way, uint64_t missing, uint64_t total, const packet_info *pinfo,
                         const struct tcpinfo *tcp)
{
    if (!tcp) {
        return;
    }
    way->left = missing;
    way->total = total;
    way->payload_frame = pinfo->num;
    way->next_seq = tcp->nxtseq;
}

bool stream_opens_with_hello(tvbuff_t *tvb)
{
    return tvb_captured_length(tvb) >= 4 && tvb_get_ntohl(tvb, 0) == WIRE_PORTALS_HELLO;
}

static bool node_is(uint32_t nid, const address *addr)
{
    unsigned char octets[4] = {(unsigned char)(nid >> 24), (unsigned char)(nid >> 16), (unsigned char)(nid >> 8),
                               (unsigned char)nid};

    return addr->type == AT_IPv4 && addr->len == 4 && memcmp(addr->data, octets, 4) == 0;
}

bool stream_begins_message(tvbuff_t *tvb, const packet_info *pinfo)
{
    struct wire_portals_header header;
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    size_t len = MIN(tvb_captured_length(tvb), sizeof octets);

    tvb_memcpy(tvb, octets, 0, len);
    if (wire_portals_decode(octets, len, &header, NULL, NULL) != WIRE_OK || header.operation == WIRE_PORTALS_HELLO) {
        return false;
    }
    return node_is(header.initiator.nid, &pinfo->src) && node_is(header.target.nid, &pinfo->dst) &&
           (header.initiator.pid == pinfo->srcport || header.target.pid == pinfo->destport);
}

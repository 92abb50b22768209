/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Where each direction of a TCP connection stands (specs/portals-wire.md, chapter 4). Everything here happens on the
 * first pass, when segments come in the order of the capture.
 */
#include "dissector/stream.h"

#include "dissector/talk.h"

#include "wire/portals_rules.h"

#include <epan/conversation.h>
#include <epan/wmem_scopes.h>

#include <string.h>

/* What Wireshark has seen of a connection, in the bits that its filter tcp.completeness documents. */
enum { SYN_SEEN = 0x01, SYN_ACK_SEEN = 0x02 };

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

    if (missed > 0 && missed >= way->left) {
        way->left = 0;
        way->lost = true;
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

static size_t header_copy(tvbuff_t *tvb, unsigned char octets[WIRE_PORTALS_HEADER_MAX])
{
    size_t len = MIN(tvb_captured_length(tvb), WIRE_PORTALS_HEADER_MAX);

    tvb_memcpy(tvb, octets, 0, len);
    return len;
}

/* Whether a message can be told from these octets, or could be when there were more of them. */
static bool formed_well(tvbuff_t *tvb)
{
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    size_t len = header_copy(tvb, octets);
    struct wire_portals_header header;
    enum wire_status status = wire_portals_decode(octets, len, &header, NULL, NULL);

    return status == WIRE_OK || status == WIRE_SHORT;
}

/* Whether these octets begin with a message from the process that opened this direction. */
static bool comes_from(const struct stream_way *way, tvbuff_t *tvb)
{
    unsigned char octets[WIRE_PORTALS_HEADER_MAX];
    size_t len = header_copy(tvb, octets);
    struct wire_portals_header header;

    return way->greeted && wire_portals_decode(octets, len, &header, NULL, NULL) == WIRE_OK &&
           wire_portals_id_same(&header.initiator, &way->hello.initiator);
}

static bool begins_surely(const struct stream_way *way, tvbuff_t *tvb, const packet_info *pinfo)
{
    return stream_opens_with_hello(tvb) || stream_begins_message(tvb, pinfo) || comes_from(way, tvb);
}

/* Octets between the last segment and this one that the capture lacks. Octets that TCP has put together come without a
 * gap by nature. */
static bool gap_before(const struct stream_way *way, tvbuff_t *tvb, const struct tcpinfo *tcp)
{
    return way->begun && tcp && !tcp->is_reassembled &&
           distance(way->seen_seq, tcp->nxtseq - tvb_reported_length(tvb)) > 0;
}

/* Whether this is the first segment with data after the connection's SYN. Sequence numbers count from the SYN, unless
 * the user has switched that off. */
static bool connection_begins_here(tvbuff_t *tvb, packet_info *pinfo, const struct tcpinfo *tcp)
{
    const struct tcp_analysis *analysis = tcp ? get_tcp_conversation_data(NULL, pinfo) : NULL;
    uint32_t begin;

    if (!analysis || !(analysis->conversation_completeness & (SYN_SEEN | SYN_ACK_SEEN))) {
        return false;
    }
    begin = tcp->nxtseq - tvb_reported_length(tvb);
    return tcp->is_reassembled || begin == 1 || begin == analysis->fwd->base_seq + 1;
}

/* Between two payloads: is there a message? The first segment of a connection must begin with one; after a gap, or when
 * the capture began late, only what is surely a message is taken for one. */
static void boundary_judge(struct stream_way *way, tvbuff_t *tvb, const packet_info *pinfo, bool gap,
                           struct stream_start *start)
{
    if (start->opening) {
        return;
    }
    if (gap || way->lost) {
        way->lost = !begins_surely(way, tvb, pinfo);
    } else if (!way->followed) {
        way->lost = !begins_surely(way, tvb, pinfo) && !formed_well(tvb);
    }
    start->lost = way->lost;
}

struct stream_start stream_start_of(struct stream_way *way, tvbuff_t *tvb, packet_info *pinfo,
                                    const struct tcpinfo *tcp)
{
    struct stream_start start = {.total = way->total, .payload_frame = way->payload_frame};
    bool gap = gap_before(way, tvb, tcp);

    start.opening = !way->followed && !way->lost && connection_begins_here(tvb, pinfo, tcp);
    if (way->left && tcp) {
        start.skip = payload_take(way, tvb, tcp, &start.before);
        gap = false;
    }
    way->begun = true;
    if (tcp && distance(way->seen_seq, tcp->nxtseq) > 0) {
        way->seen_seq = tcp->nxtseq;
    }
    if (gap || way->lost) {
        talk_missing();
    }
    if (!start.skip) {
        boundary_judge(way, tvb, pinfo, gap, &start);
    }
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
    size_t len = header_copy(tvb, octets);

    if (wire_portals_decode(octets, len, &header, NULL, NULL) != WIRE_OK || header.operation == WIRE_PORTALS_HELLO) {
        return false;
    }
    return node_is(header.initiator.nid, &pinfo->src) && node_is(header.target.nid, &pinfo->dst) &&
           (header.initiator.pid == pinfo->srcport || header.target.pid == pinfo->destport);
}

bool stream_end_is(const struct wire_portals_id *id, const packet_info *pinfo)
{
    return pinfo->dst.type != AT_IPv4 || (node_is(id->nid, &pinfo->dst) && id->pid == pinfo->destport);
}

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Where each direction of a TCP connection stands (specs/portals-wire.md, chapter 4). Everything here happens on the
 * first pass, when segments come in the order of the capture.
 */
#include "dissector/portals/stream.h"

#include "wire/portals/rules.h"

#include <epan/conversation.h>
#include <epan/wmem_scopes.h>

#include <string.h>

struct stream {
    struct stream_way ways[2];
};

struct stream_way *stream_way_known(int proto, packet_info *pinfo, struct stream_way **back)
{
    conversation_t *conversation = pinfo->ptype == PT_TCP ? find_conversation_pinfo(pinfo, 0) : NULL;
    struct stream *stream = conversation ? conversation_get_proto_data(conversation, proto) : NULL;
    unsigned number = way_number(pinfo);

    if (!stream) {
        return NULL;
    }
    *back = &stream->ways[!number];
    return &stream->ways[number];
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

/* Between two payloads: is there a message? The first segment of a connection must begin with one; after a gap, or when
 * the capture began late, only what is surely a message is taken for one. */
static void boundary_judge(struct stream_way *way, tvbuff_t *tvb, const packet_info *pinfo, struct way_start *start)
{
    if (start->opening) {
        return;
    }
    if (start->gap) {
        way->at.lost = !begins_surely(way, tvb, pinfo);
    } else if (!way->at.followed) {
        way->at.lost = !begins_surely(way, tvb, pinfo) && !formed_well(tvb);
    }
    start->lost = way->at.lost;
}

struct way_start stream_start_of(struct stream_way *way, tvbuff_t *tvb, packet_info *pinfo, const struct tcpinfo *tcp)
{
    struct way_start start = way_start_of(&way->at, tvb, pinfo, tcp);

    if (!start.skip) {
        boundary_judge(way, tvb, pinfo, &start);
    }
    return start;
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
           (wire_portals_port_of(header.initiator.pid) == pinfo->srcport ||
            wire_portals_port_of(header.target.pid) == pinfo->destport);
}

bool stream_end_is(const struct wire_portals_id *id, const packet_info *pinfo)
{
    return pinfo->dst.type != AT_IPv4 || (node_is(id->nid, &pinfo->dst) && id->pid == pinfo->destport);
}

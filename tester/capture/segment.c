/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From a packet to the TCP segment or UDP datagram in it (read.h): link layers, tunnels, IPv4, IPv6 with its
 * extensions, fragments. Each step takes octets from the front of a reader that cannot leave the packet.
 */
#include "tester/capture/read.h"

#include "tester/capture/fragments.h"
#include "tester/capture/link.h"
#include "tester/capture/tunnel.h"
#include "wire/follow/checksum.h"
#include "wire/follow/path.h"
#include "wire/octets/cursor.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    EXTENSIONS_MAX = 8,
    TUNNELS_MAX = 4, /* within each other */
    PROTOCOL_IPV4 = 4,
    PROTOCOL_TCP = 6,
    PROTOCOL_UDP = 17,
    PROTOCOL_IPV6 = 41,
    PROTOCOL_GRE = 47,
    PROTOCOL_AUTHENTICATION = 51,
    UDP_HEADER = 8,
    NEXT_HOP_BY_HOP = 0,
    NEXT_ROUTING = 43,
    NEXT_FRAGMENT = 44,
    NEXT_OPTIONS = 60,
    OPTION_PAD = 0,
    OPTION_JUMBO = 0xc2,
    MORE_FRAGMENTS = 0x2000,
    FRAGMENT_OFFSET = 0x1fff, /* in units of 8 octets */
};

/* What is left of a packet, by what its header says and by what there is. */
struct extent {
    struct wire_reader reader;
    size_t missing;
    unsigned tunnelled; /* the type of what it carries, where it is a tunnel's; else CAPTURE_TYPE_NONE */
    struct capture_fragments *fragments; /* NULL: they are not put together */
};

/* Cuts the rest to the length that a header names (there may be padding behind), and counts what is missing. */
static void cut(struct extent *extent, size_t said)
{
    extent->missing = said < extent->reader.left ? 0 : said - extent->reader.left;
    extent->reader.left = said < extent->reader.left ? said : extent->reader.left;
}

/* Puts the fragment, whose contents are what is left, in its place. True: now a packet is complete, and is what is
 * left; its protocol stands in the fragment. */
static bool is_complete(struct extent *extent, struct capture_fragment *fragment, const unsigned char *addresses,
                        size_t octets)
{
    if (!extent->fragments || extent->reader.failed) {
        return false;
    }
    memcpy(fragment->addresses, addresses, octets);
    fragment->octets = extent->reader.at;
    fragment->len = extent->missing ? 0 : extent->reader.left; /* none of one that is cut off */
    return capture_fragments_take(extent->fragments, fragment, &extent->reader, &fragment->protocol);
}

/* What an IP packet of that protocol holds. Of a tunnel, that is told by what it carries. */
static enum capture_content content_of(struct extent *extent, unsigned protocol)
{
    struct wire_reader *reader = &extent->reader;

    for (int i = 0; i < EXTENSIONS_MAX && protocol == PROTOCOL_AUTHENTICATION; i++) { /* of IPsec (RFC 4302) */
        protocol = wire_read_u8(reader);
        (void)wire_read_octets(reader, wire_read_u8(reader) * 4u + 6);
    }
    extent->tunnelled = CAPTURE_TYPE_NONE;
    if (reader->failed) {
        return CAPTURE_STRANGE;
    }
    switch (protocol) {
    case PROTOCOL_TCP:
        return CAPTURE_SEGMENT;
    case PROTOCOL_UDP:
        return CAPTURE_DATAGRAM;
    case PROTOCOL_IPV4:
    case PROTOCOL_IPV6:
        extent->tunnelled = protocol == PROTOCOL_IPV4 ? CAPTURE_TYPE_IPV4 : CAPTURE_TYPE_IPV6;
        break;
    case PROTOCOL_GRE:
        extent->tunnelled = capture_tunnel_gre(reader);
        break;
    }
    return CAPTURE_OTHER;
}

static enum capture_content take_ipv4(struct extent *extent, struct wire_segment *segment, size_t wire_left)
{
    struct wire_reader *reader = &extent->reader;
    size_t header = (wire_read_u8(reader) & 15u) * 4;
    (void)wire_read_u8(reader);
    size_t whole = wire_read_u16(reader);
    unsigned number = wire_read_u16(reader);
    unsigned fragment = wire_read_u16(reader);
    (void)wire_read_u8(reader);
    unsigned protocol = wire_read_u8(reader);
    (void)wire_read_u16(reader);
    const unsigned char *addresses = wire_read_octets(reader, 8);

    if (!addresses || header < 20) {
        return CAPTURE_STRANGE;
    }
    segment->from.family = segment->to.family = 4;
    memcpy(segment->from.address, addresses, 4);
    memcpy(segment->to.address, addresses + 4, 4);
    (void)wire_read_octets(reader, header - 20);
    whole = whole ? whole : wire_left; /* segments that the network card cuts are captured whole, without a length */
    if (reader->failed || whole < header) {
        return CAPTURE_STRANGE;
    }
    cut(extent, whole - header);
    if (fragment & (MORE_FRAGMENTS | FRAGMENT_OFFSET)) {
        struct capture_fragment piece = {.number = number,
                                         .protocol = protocol,
                                         .offset = (fragment & FRAGMENT_OFFSET) * (size_t)8,
                                         .more = fragment & MORE_FRAGMENTS};

        if (!is_complete(extent, &piece, addresses, 8)) {
            return CAPTURE_FRAGMENT;
        }
    }
    return content_of(extent, protocol);
}

/* A fragment header of IPv6: whether a packet is complete now, and what its next header is. */
static bool take_fragment(struct extent *extent, const unsigned char *addresses, unsigned *next)
{
    struct capture_fragment piece = {.is_ipv6 = true};
    unsigned place;

    piece.protocol = wire_read_u8(&extent->reader);
    (void)wire_read_u8(&extent->reader);
    place = wire_read_u16(&extent->reader);
    piece.number = wire_read_u32(&extent->reader);
    piece.offset = place & 0xfff8;
    piece.more = place & 1;
    if ((piece.offset || piece.more) && !is_complete(extent, &piece, addresses, CAPTURE_FRAGMENT_ADDRESSES)) {
        return false;
    }
    *next = piece.protocol;
    return true;
}

/* At a header of hop-by-hop options of a packet without a length: one of them may say how long the rest is, this header
 * included (RFC 2675), where a length has no room for that. */
static void cut_jumbo(struct extent *extent)
{
    struct wire_reader options = extent->reader;
    (void)wire_read_u8(&options);
    size_t len = wire_read_u8(&options) * 8u + 6;

    options.left = options.left < len ? options.left : len;
    while (options.left >= 2 && !options.failed) {
        unsigned kind = wire_read_u8(&options);
        size_t size = kind == OPTION_PAD ? 0 : wire_read_u8(&options);

        if (kind == OPTION_JUMBO && size == 4) {
            size_t said = wire_read_u32(&options);
            extent->reader.failed = extent->reader.failed || said <= UINT16_MAX;
            cut(extent, said);
            return;
        }
        (void)wire_read_octets(&options, size);
    }
}

static enum capture_content take_ipv6(struct extent *extent, struct wire_segment *segment, size_t wire_left)
{
    struct wire_reader *reader = &extent->reader;
    (void)wire_read_u32(reader);
    size_t payload = wire_read_u16(reader);
    unsigned next = wire_read_u8(reader);
    (void)wire_read_u8(reader);
    const unsigned char *addresses = wire_read_octets(reader, 32);

    if (!addresses) {
        return CAPTURE_STRANGE;
    }
    segment->from.family = segment->to.family = 6;
    memcpy(segment->from.address, addresses, 16);
    memcpy(segment->to.address, addresses + 16, 16);
    cut(extent, payload || wire_left < 40 ? payload : wire_left - 40);
    for (int i = 0; i < EXTENSIONS_MAX; i++) {
        if (next == NEXT_FRAGMENT) {
            if (!take_fragment(extent, addresses, &next)) {
                return CAPTURE_FRAGMENT;
            }
            continue;
        }
        if (next != NEXT_HOP_BY_HOP && next != NEXT_ROUTING && next != NEXT_OPTIONS) {
            break;
        }
        if (next == NEXT_HOP_BY_HOP && payload == 0) {
            cut_jumbo(extent);
        }
        next = wire_read_u8(&extent->reader);
        (void)wire_read_octets(&extent->reader, wire_read_u8(&extent->reader) * 8u + 6);
    }
    if (extent->reader.failed) {
        return CAPTURE_STRANGE;
    }
    return content_of(extent, next);
}

static enum capture_content take_tcp(struct extent *extent, struct wire_segment *segment)
{
    struct wire_reader *reader = &extent->reader;

    segment->from.port = wire_read_u16(reader);
    segment->to.port = wire_read_u16(reader);
    segment->seq = wire_read_u32(reader);
    segment->ack = wire_read_u32(reader);
    size_t header = wire_read_u8(reader) / 16u * 4;
    segment->has_options = header > 20;
    segment->flags = wire_read_u8(reader);
    (void)wire_read_octets(reader, 6);
    if (header < 20 || reader->failed) {
        return CAPTURE_STRANGE;
    }
    (void)wire_read_octets(reader, header - 20);
    if (reader->failed) {
        return CAPTURE_STRANGE;
    }
    segment->data = reader->at;
    segment->len = reader->left;
    segment->missing = extent->missing;
    segment->checksum = wire_checksum_of(segment, reader->at - header, header);
    segment->path = wire_path_of(reader->at - header, header, segment->len + segment->missing > 0);
    return CAPTURE_SEGMENT;
}

static enum capture_content take_udp(struct extent *extent, struct wire_segment *segment)
{
    struct wire_reader *reader = &extent->reader, data;

    segment->from.port = wire_read_u16(reader);
    segment->to.port = wire_read_u16(reader);
    size_t whole = wire_read_u16(reader);
    (void)wire_read_u16(reader);
    if (reader->failed || whole < UDP_HEADER) {
        return CAPTURE_STRANGE;
    }
    segment->missing = extent->missing;
    segment->data = reader->at;
    segment->len = reader->left < whole - UDP_HEADER ? reader->left : whole - UDP_HEADER;
    data = *reader;
    extent->tunnelled = capture_tunnel_udp(&data, segment->from.port, segment->to.port);
    if (extent->tunnelled == CAPTURE_TYPE_NONE) {
        return CAPTURE_DATAGRAM;
    }
    *reader = data;
    return CAPTURE_OTHER;
}

/* An IP packet, and what it holds. */
static enum capture_content take_ip(struct extent *extent, unsigned type, struct wire_segment *segment)
{
    size_t wire_left = extent->reader.left + extent->missing;
    enum capture_content content;

    *segment = (struct wire_segment){0};
    if (type == CAPTURE_TYPE_BY_VERSION) {
        type = extent->reader.left && extent->reader.at[0] >> 4 == 6 ? CAPTURE_TYPE_IPV6 : CAPTURE_TYPE_IPV4;
    }
    extent->tunnelled = CAPTURE_TYPE_NONE;
    if (type != CAPTURE_TYPE_IPV4 && type != CAPTURE_TYPE_IPV6) {
        return CAPTURE_OTHER;
    }
    content = (type == CAPTURE_TYPE_IPV4 ? take_ipv4 : take_ipv6)(extent, segment, wire_left);
    if (content == CAPTURE_DATAGRAM) {
        return take_udp(extent, segment);
    }
    return content == CAPTURE_SEGMENT ? take_tcp(extent, segment) : content;
}

enum capture_content capture_segment_of(const struct capture_packet *packet, struct capture_fragments *fragments,
                                        struct wire_segment *segment)
{
    struct extent extent = {wire_reader_over(packet->octets, packet->len), 0, CAPTURE_TYPE_NONE, fragments};
    unsigned type = capture_link_take(packet->link, &extent.reader);
    enum capture_content content;

    *segment = (struct wire_segment){0};
    if (type == CAPTURE_TYPE_NONE || extent.reader.failed) {
        return CAPTURE_STRANGE;
    }
    extent.missing = packet->wire_len > packet->len ? packet->wire_len - packet->len : 0;
    content = take_ip(&extent, type, segment);
    for (int i = 0; i < TUNNELS_MAX && content == CAPTURE_OTHER && extent.tunnelled != CAPTURE_TYPE_NONE; i++) {
        type = extent.tunnelled;
        type = type == CAPTURE_TYPE_ETHERNET ? capture_link_ethernet(&extent.reader) : type;
        content = extent.reader.failed ? CAPTURE_STRANGE : take_ip(&extent, type, segment);
    }
    return content;
}

void capture_end_text(const struct wire_end *end, char *text, size_t room)
{
    char address[INET6_ADDRSTRLEN] = "?";

    inet_ntop(end->family == 6 ? AF_INET6 : AF_INET, end->address, address, sizeof address);
    snprintf(text, room, end->family == 6 ? "[%s]:%u" : "%s:%u", address, end->port);
}

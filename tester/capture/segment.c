/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From a packet to the TCP segment or UDP datagram in it (read.h): link layers, IPv4, IPv6 with its extensions. Each
 * step takes octets from the front of a reader that cannot leave the packet.
 */
#include "tester/capture/read.h"

#include "wire/octets/cursor.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Link types, as https://www.tcpdump.org/linktypes.html numbers them. */
enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW_OLD = 12,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_COOKED = 113,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_COOKED_2 = 276,
};

enum {
    TYPE_IPV4 = 0x0800,
    TYPE_VLAN = 0x8100,
    TYPE_IPV6 = 0x86dd,
    TYPE_VLAN_OUTER = 0x88a8,
    TYPE_BY_VERSION = 0, /* no link layer says which: the first four bits do */
    TYPE_NONE = 1,
    VLANS_MAX = 4,
    EXTENSIONS_MAX = 8,
    PROTOCOL_TCP = 6,
    PROTOCOL_UDP = 17,
    UDP_HEADER = 8,
    NEXT_HOP_BY_HOP = 0,
    NEXT_ROUTING = 43,
    NEXT_FRAGMENT = 44,
    NEXT_OPTIONS = 60,
};

/* BSD's null link layer writes an address family in the byte order of the machine, on OpenBSD in that of the network.
 * The family of IPv6 differs from system to system. */
static unsigned type_of_family(struct wire_reader *reader)
{
    uint32_t family = wire_read_u32(reader);

    if (family & 0xffff0000) {
        family = family >> 24 | (family >> 8 & 0xff00);
    }
    switch (family) {
    case 2:
        return TYPE_IPV4;
    case 10:
    case 24:
    case 28:
    case 30:
        return TYPE_IPV6;
    default:
        return TYPE_NONE;
    }
}

static unsigned type_behind_vlans(struct wire_reader *reader)
{
    unsigned type = wire_read_u16(reader);

    for (int i = 0; i < VLANS_MAX && (type == TYPE_VLAN || type == TYPE_VLAN_OUTER); i++) {
        (void)wire_read_u16(reader);
        type = wire_read_u16(reader);
    }
    return type;
}

/* Steps over the link layer. The type of what follows; TYPE_NONE when the link type is not known. */
static unsigned take_link(unsigned link, struct wire_reader *reader)
{
    unsigned type;

    switch (link) {
    case LINK_NULL:
    case LINK_LOOP:
        return type_of_family(reader);
    case LINK_ETHERNET:
        (void)wire_read_octets(reader, 12);
        return type_behind_vlans(reader);
    case LINK_COOKED:
        (void)wire_read_octets(reader, 14);
        return type_behind_vlans(reader);
    case LINK_COOKED_2:
        type = wire_read_u16(reader);
        (void)wire_read_octets(reader, 18);
        return type;
    case LINK_RAW_OLD:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6:
        return TYPE_BY_VERSION;
    default:
        return TYPE_NONE;
    }
}

/* What is left of a packet, by what its header says and by what there is. */
struct extent {
    struct wire_reader reader;
    size_t missing;
};

/* Cuts the reader to the length that a header names (there may be padding behind), and counts what is missing. */
static struct extent cut(struct wire_reader reader, size_t said)
{
    struct extent extent = {reader, 0};

    if (said < reader.left) {
        extent.reader.left = said;
    } else {
        extent.missing = said - reader.left;
    }
    return extent;
}

/* What an IP packet of that protocol holds. */
static enum capture_content content_of(unsigned protocol)
{
    if (protocol == PROTOCOL_UDP) {
        return CAPTURE_DATAGRAM;
    }
    return protocol == PROTOCOL_TCP ? CAPTURE_SEGMENT : CAPTURE_OTHER;
}

static enum capture_content take_ipv4(struct extent *extent, struct wire_segment *segment, size_t wire_left)
{
    struct wire_reader *reader = &extent->reader;
    size_t header = (wire_read_u8(reader) & 15u) * 4;
    (void)wire_read_u8(reader);
    size_t whole = wire_read_u16(reader);
    (void)wire_read_u16(reader);
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
    *extent = cut(*reader, whole - header);
    if (fragment & 0x3fff) {
        return CAPTURE_FRAGMENT;
    }
    return content_of(protocol);
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
    *extent = cut(*reader, payload || wire_left < 40 ? payload : wire_left - 40);
    for (int i = 0; i < EXTENSIONS_MAX; i++) {
        if (next == NEXT_FRAGMENT) {
            return CAPTURE_FRAGMENT;
        }
        if (next != NEXT_HOP_BY_HOP && next != NEXT_ROUTING && next != NEXT_OPTIONS) {
            break;
        }
        next = wire_read_u8(&extent->reader);
        (void)wire_read_octets(&extent->reader, wire_read_u8(&extent->reader) * 8u + 6);
    }
    if (extent->reader.failed) {
        return CAPTURE_STRANGE;
    }
    return content_of(next);
}

static enum capture_content take_tcp(struct extent *extent, struct wire_segment *segment)
{
    struct wire_reader *reader = &extent->reader;

    segment->from.port = wire_read_u16(reader);
    segment->to.port = wire_read_u16(reader);
    segment->seq = wire_read_u32(reader);
    segment->ack = wire_read_u32(reader);
    size_t header = wire_read_u8(reader) / 16u * 4;
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
    return CAPTURE_SEGMENT;
}

static enum capture_content take_udp(struct extent *extent, struct wire_segment *segment)
{
    struct wire_reader *reader = &extent->reader;

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
    return CAPTURE_DATAGRAM;
}

enum capture_content capture_segment_of(const struct capture_packet *packet, struct wire_segment *segment)
{
    struct extent extent = {wire_reader_over(packet->octets, packet->len), 0};
    unsigned type = take_link(packet->link, &extent.reader);
    size_t used = packet->len - extent.reader.left;
    size_t wire_left = packet->wire_len > used ? packet->wire_len - used : extent.reader.left;
    enum capture_content content = CAPTURE_OTHER;

    *segment = (struct wire_segment){0};
    if (type == TYPE_NONE || extent.reader.failed) {
        return CAPTURE_STRANGE;
    }
    if (type == TYPE_BY_VERSION) {
        type = extent.reader.left && extent.reader.at[0] >> 4 == 6 ? TYPE_IPV6 : TYPE_IPV4;
    }
    if (type == TYPE_IPV4) {
        content = take_ipv4(&extent, segment, wire_left);
    } else if (type == TYPE_IPV6) {
        content = take_ipv6(&extent, segment, wire_left);
    }
    if (content == CAPTURE_DATAGRAM) {
        return take_udp(&extent, segment);
    }
    return content == CAPTURE_SEGMENT ? take_tcp(&extent, segment) : content;
}

void capture_end_text(const struct wire_end *end, char *text, size_t room)
{
    char address[INET6_ADDRSTRLEN] = "?";

    inet_ntop(end->family == 6 ? AF_INET6 : AF_INET, end->address, address, sizeof address);
    snprintf(text, room, end->family == 6 ? "[%s]:%u" : "%s:%u", address, end->port);
}

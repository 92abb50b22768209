/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Link layers (link.h), by their numbers in capture files, and what networks put between them and IP.
 */
#include "tester/capture/link.h"

#include "tester/capture/tunnel.h"

#include <stdbool.h>
#include <stdint.h>

/* As https://www.tcpdump.org/linktypes.html numbers them. */
enum {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_PPP = 9,
    LINK_RAW_OLD = 12,
    LINK_RAW_OPENBSD = 14,
    LINK_PPP_SERIAL = 50,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_ENCRYPTED = 109,
    LINK_COOKED = 113,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_NETFILTER = 239,
    LINK_INFINIBAND = 242, /* IP over it */
    LINK_COOKED_2 = 276,
};

/* Of a packet that Linux' netfilter has logged: a list of what is known of it, which it ends, in the byte order of
 * nearly all machines. */
enum {
    NETFILTER_IPV4 = 2,
    NETFILTER_IPV6 = 10,
    NETFILTER_PACKET = 9,
    NETFILTER_ITEMS_MAX = 64,
};

enum {
    TYPE_VLAN = 0x8100,
    TYPE_VLAN_OUTER = 0x88a8,
    TYPE_VLAN_OLD = 0x9100,
    TYPE_BACKBONE = 0x88e7, /* a frame within a frame */
    TYPE_VIRTUAL_PORT = 0x8926,
    LENGTH_MAX = 1500, /* what is not above is no type, but the length of a frame of IEEE 802.3 */
    ADDRESSES = 12,
    TAGS_MAX = 8,
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
        return CAPTURE_TYPE_IPV4;
    case 10:
    case 24:
    case 28:
    case 30:
        return CAPTURE_TYPE_IPV6;
    default:
        return CAPTURE_TYPE_NONE;
    }
}

/* A frame without a type, which IEEE 802.2 gives it with a header of SNAP. */
static unsigned type_of_snap(struct wire_reader *reader)
{
    uint32_t head = wire_read_u32(reader);
    unsigned rest = wire_read_u16(reader);
    unsigned type = wire_read_u16(reader);

    return head == 0xaaaa0300 && rest == 0 && type > LENGTH_MAX ? type : CAPTURE_TYPE_NONE;
}

/* Takes one thing off that stands between a type and what it is the type of. False: there is none. */
static bool take_between(struct wire_reader *reader, unsigned *type)
{
    switch (*type) {
    case TYPE_VLAN:
    case TYPE_VLAN_OUTER:
    case TYPE_VLAN_OLD:
        (void)wire_read_u16(reader);
        *type = wire_read_u16(reader);
        return true;
    case TYPE_VIRTUAL_PORT:
        (void)wire_read_u32(reader);
        *type = wire_read_u16(reader);
        return true;
    case TYPE_BACKBONE:
        (void)wire_read_u32(reader);
        (void)wire_read_octets(reader, ADDRESSES);
        *type = wire_read_u16(reader);
        return true;
    case CAPTURE_TYPE_MPLS:
    case CAPTURE_TYPE_MPLS_MANY:
        *type = capture_tunnel_mpls(reader);
        if (*type != CAPTURE_TYPE_ETHERNET) {
            return false;
        }
        (void)wire_read_octets(reader, ADDRESSES);
        *type = wire_read_u16(reader);
        return true;
    case CAPTURE_TYPE_PPPOE:
        *type = capture_tunnel_pppoe(reader);
        return false;
    default:
        return false;
    }
}

static unsigned type_behind(struct wire_reader *reader, unsigned type)
{
    bool more = true;

    for (int i = 0; i < TAGS_MAX && more; i++) {
        if (type <= LENGTH_MAX) {
            type = type_of_snap(reader);
            more = type != CAPTURE_TYPE_NONE;
        } else {
            more = take_between(reader, &type);
        }
    }
    return type == CAPTURE_TYPE_NONE ? CAPTURE_TYPE_OTHER : type;
}

static unsigned type_of_netfilter(struct wire_reader *reader)
{
    unsigned family = wire_read_u8(reader), size, kind;

    (void)wire_read_octets(reader, 3);
    for (int i = 0; i < NETFILTER_ITEMS_MAX && !reader->failed; i++) {
        size = wire_read_u8(reader);
        size |= (unsigned)wire_read_u8(reader) << 8;
        kind = wire_read_u8(reader);
        kind |= (unsigned)wire_read_u8(reader) << 8;
        if (kind == NETFILTER_PACKET) {
            return family == NETFILTER_IPV4   ? CAPTURE_TYPE_IPV4
                   : family == NETFILTER_IPV6 ? CAPTURE_TYPE_IPV6
                                              : CAPTURE_TYPE_OTHER;
        }
        (void)wire_read_octets(reader, size < 4 ? SIZE_MAX : (size - 1) / 4 * 4);
    }
    return CAPTURE_TYPE_NONE;
}

unsigned capture_link_ethernet(struct wire_reader *reader)
{
    (void)wire_read_octets(reader, ADDRESSES);
    return type_behind(reader, wire_read_u16(reader));
}

unsigned capture_link_take(unsigned link, struct wire_reader *reader)
{
    unsigned type;

    switch (link) {
    case LINK_NULL:
    case LINK_LOOP:
        return type_of_family(reader);
    case LINK_ENCRYPTED: /* of IPsec, as it was before or will be after */
        type = type_of_family(reader);
        (void)wire_read_octets(reader, 8);
        return type;
    case LINK_ETHERNET:
        return capture_link_ethernet(reader);
    case LINK_PPP:
    case LINK_PPP_SERIAL:
        type = capture_tunnel_ppp(reader);
        return type == CAPTURE_TYPE_NONE ? CAPTURE_TYPE_OTHER : type;
    case LINK_COOKED:
        (void)wire_read_octets(reader, 14);
        return type_behind(reader, wire_read_u16(reader));
    case LINK_COOKED_2:
        type = wire_read_u16(reader);
        (void)wire_read_octets(reader, 18);
        return type_behind(reader, type);
    case LINK_NETFILTER:
        return type_of_netfilter(reader);
    case LINK_INFINIBAND:
        (void)wire_read_octets(reader, 40);
        type = wire_read_u16(reader);
        (void)wire_read_u16(reader);
        return type_behind(reader, type);
    case LINK_RAW_OLD:
    case LINK_RAW_OPENBSD:
    case LINK_RAW:
    case LINK_IPV4:
    case LINK_IPV6:
        return CAPTURE_TYPE_BY_VERSION;
    default:
        return CAPTURE_TYPE_NONE;
    }
}

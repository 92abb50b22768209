/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Headers of tunnels (tunnel.h): MPLS (RFC 3032), PPPoE (RFC 2516), GRE (RFC 2784, 2890), VXLAN (RFC 7348), Geneve (RFC
 * 8926), L2TP (RFC 2661), GTP-U (3GPP TS 29.281). What their own documents do not allow is not looked into.
 */
#include "tester/capture/tunnel.h"

#include <stdbool.h>

enum {
    LABELS_MAX = 16,
    LABEL_LAST = 0x100,
    PPPOE_DATA = 0x1100, /* version and type 1, code 0 */
    PPP_IPV4 = 0x0021,
    PPP_IPV6 = 0x0057,
    GRE_CHECKSUM = 0x8000,
    GRE_KEY = 0x2000,
    GRE_SEQUENCE = 0x1000,
    ERSPAN = 0x88be,
    ERSPAN_3 = 0x22eb,
    ERSPAN_MORE = 1, /* eight octets of the platform follow */
    VXLAN_PORT = 4789,
    VXLAN_VALID = 0x08,
    GENEVE_PORT = 6081,
    GENEVE_VERSIONS = 0xc0, /* bits that are 0 in the only one */
    GENEVE_OPTIONS = 0x3f,  /* four octets each */
    L2TP_PORT = 1701,
    L2TP_CONTROL = 0x8000,
    L2TP_LENGTH = 0x4000,
    L2TP_SEQUENCE = 0x0800,
    L2TP_OFFSET = 0x0200,
    L2TP_VERSION = 0x000f,
    PPP_ADDRESS = 0xff,  /* and a control octet, which both may be left out */
    PPP_ONE_OCTET = 0x1, /* a protocol whose first octet has this bit has no other */
    GTP_PORT = 2152,
    GTP_VERSION = 0xf0, /* with the protocol's own bit, and one that is 0 */
    GTP_1 = 0x30,
    GTP_LONGER = 0x07,   /* any of these: four octets more, the last of which is the kind of an extension */
    GTP_EXTENDED = 0x04, /* where this is one of them */
    GTP_PACKET = 255,
};

/* A type that a header names is none of our own numbers. */
static unsigned type_within(unsigned type)
{
    return type > CAPTURE_TYPE_NONE ? type : CAPTURE_TYPE_NONE;
}

/* IP begins with its version, and a control word with a 0 before a frame (RFC 4385). */
static unsigned behind_labels(struct wire_reader *reader)
{
    if (!reader->left || reader->at[0] >> 4) {
        return CAPTURE_TYPE_BY_VERSION;
    }
    (void)wire_read_u32(reader);
    return reader->failed ? CAPTURE_TYPE_NONE : CAPTURE_TYPE_ETHERNET;
}

unsigned capture_tunnel_mpls(struct wire_reader *reader)
{
    for (int i = 0; i < LABELS_MAX && !reader->failed; i++) {
        if (wire_read_u32(reader) & LABEL_LAST) {
            return reader->failed ? CAPTURE_TYPE_NONE : behind_labels(reader);
        }
    }
    return CAPTURE_TYPE_NONE;
}

static unsigned type_of_protocol(unsigned protocol)
{
    return protocol == PPP_IPV4 ? CAPTURE_TYPE_IPV4 : protocol == PPP_IPV6 ? CAPTURE_TYPE_IPV6 : CAPTURE_TYPE_NONE;
}

unsigned capture_tunnel_ppp(struct wire_reader *reader)
{
    unsigned protocol = wire_read_u8(reader);

    if (protocol == PPP_ADDRESS) {
        (void)wire_read_u8(reader);
        protocol = wire_read_u8(reader);
    }
    return type_of_protocol(protocol & PPP_ONE_OCTET ? protocol : protocol << 8 | wire_read_u8(reader));
}

unsigned capture_tunnel_pppoe(struct wire_reader *reader)
{
    unsigned kind = wire_read_u16(reader), protocol;

    (void)wire_read_u32(reader); /* session, length */
    protocol = wire_read_u16(reader);
    if (reader->failed || kind != PPPOE_DATA) {
        return CAPTURE_TYPE_NONE;
    }
    return type_of_protocol(protocol);
}

/* What a switch has captured: a frame, behind a header of which the first form has none. */
static unsigned within_erspan(struct wire_reader *reader, unsigned type, bool numbered)
{
    if (type == ERSPAN && !numbered) {
        return CAPTURE_TYPE_ETHERNET;
    }
    unsigned version = wire_read_u8(reader) >> 4;
    (void)wire_read_octets(reader, 7);
    if (type == ERSPAN_3) {
        (void)wire_read_octets(reader, wire_read_u32(reader) & ERSPAN_MORE ? 8 : 0);
    }
    return reader->failed || version != (type == ERSPAN_3 ? 2 : 1) ? CAPTURE_TYPE_NONE : CAPTURE_TYPE_ETHERNET;
}

unsigned capture_tunnel_gre(struct wire_reader *reader)
{
    unsigned flags = wire_read_u16(reader), type = wire_read_u16(reader);
    unsigned parts = (flags & GRE_CHECKSUM ? 1u : 0) + (flags & GRE_KEY ? 1u : 0) + (flags & GRE_SEQUENCE ? 1u : 0);

    (void)wire_read_octets(reader, parts * 4u);
    if (reader->failed || flags & ~(unsigned)(GRE_CHECKSUM | GRE_KEY | GRE_SEQUENCE)) {
        return CAPTURE_TYPE_NONE;
    }
    if (type == ERSPAN || type == ERSPAN_3) {
        return within_erspan(reader, type, flags & GRE_SEQUENCE);
    }
    return type_within(type);
}

static unsigned within_vxlan(struct wire_reader *reader)
{
    unsigned flags = wire_read_u8(reader);

    (void)wire_read_octets(reader, 7);
    return flags & VXLAN_VALID ? CAPTURE_TYPE_ETHERNET : CAPTURE_TYPE_NONE;
}

static unsigned within_geneve(struct wire_reader *reader)
{
    unsigned first = wire_read_u8(reader), type;

    (void)wire_read_u8(reader);
    type = wire_read_u16(reader);
    (void)wire_read_octets(reader, 4 + (first & GENEVE_OPTIONS) * 4u);
    return first & GENEVE_VERSIONS ? CAPTURE_TYPE_NONE : type_within(type);
}

static unsigned within_l2tp(struct wire_reader *reader)
{
    unsigned flags = wire_read_u16(reader);

    if (flags & L2TP_CONTROL || (flags & L2TP_VERSION) != 2) {
        return CAPTURE_TYPE_NONE;
    }
    (void)wire_read_octets(reader, (flags & L2TP_LENGTH ? 2u : 0) + 4 + (flags & L2TP_SEQUENCE ? 4u : 0));
    (void)wire_read_octets(reader, flags & L2TP_OFFSET ? wire_read_u16(reader) : 0);
    return capture_tunnel_ppp(reader);
}

static unsigned within_gtp(struct wire_reader *reader)
{
    unsigned flags = wire_read_u8(reader), kind = wire_read_u8(reader), next, quads;

    (void)wire_read_octets(reader, 6); /* length, tunnel */
    if (flags & GTP_LONGER) {
        (void)wire_read_octets(reader, 3);
        next = wire_read_u8(reader);
        while (flags & GTP_EXTENDED && next && !reader->failed) {
            quads = wire_read_u8(reader);
            (void)wire_read_octets(reader, quads ? quads * 4u - 2 : SIZE_MAX);
            next = wire_read_u8(reader);
        }
    }
    return (flags & GTP_VERSION) == GTP_1 && kind == GTP_PACKET ? CAPTURE_TYPE_BY_VERSION : CAPTURE_TYPE_NONE;
}

unsigned capture_tunnel_udp(struct wire_reader *reader, uint16_t from, uint16_t to)
{
    unsigned type = to == VXLAN_PORT                       ? within_vxlan(reader)
                    : to == GENEVE_PORT                    ? within_geneve(reader)
                    : to == GTP_PORT                       ? within_gtp(reader)
                    : to == L2TP_PORT || from == L2TP_PORT ? within_l2tp(reader)
                                                           : CAPTURE_TYPE_NONE;

    return reader->failed ? CAPTURE_TYPE_NONE : type;
}

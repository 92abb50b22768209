/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * A TCP header, looked for in a packet: behind the two addresses, with the two ports in front. See segment.h.
 */
#include "dissector/common/segment.h"

#include "wire/follow/checksum.h"
#include "wire/follow/path.h"

#include <string.h>

enum {
    HEADERS_MAX = 512, /* octets at a packet's beginning in which its TCP header is looked for */
    EXTENSIONS_MAX = 8,
    HOP_BY_HOP = 0, /* extensions of IP that may stand before TCP */
    ROUTING = 43,
    AUTHENTICATION = 51,
    OPTIONS = 60,
    FRAGMENT = 44,
    FRAGMENT_OCTETS = 8,
    OF_SEVERAL = 0x3fff,     /* in a header of IPv4: fragments follow, or precede */
    OF_SEVERAL_SIX = 0xfff9, /* in a fragment header of IPv6 */
    ADDRESS_MAX = 16,
    TCP_PROTOCOL = 6,
    TCP_SEQUENCE = 4, /* offsets in a TCP header */
    TCP_ACKNOWLEDGEMENT = 8,
    TCP_LENGTH = 12,
    TCP_FLAGS = 13,
    TCP_OCTETS = 20,
};

static inline uint32_t number_at(const unsigned char *octets, unsigned count)
{
    uint32_t number = 0;

    for (unsigned i = 0; i < count; i++) {
        number = number << 8 | octets[i];
    }
    return number;
}

/* The octets of an extension of IP; 0: none that may stand before TCP is there, or it is that of a fragment. */
static size_t extension_octets(const unsigned char *octets, size_t left, unsigned kind)
{
    if (left < FRAGMENT_OCTETS) {
        return 0;
    }
    if (kind == FRAGMENT) {
        return number_at(octets + 2, 2) & OF_SEVERAL_SIX ? 0 : FRAGMENT_OCTETS;
    }
    if (kind == AUTHENTICATION) {
        return (size_t)octets[1] * 4 + 8;
    }
    return kind == HOP_BY_HOP || kind == ROUTING || kind == OPTIONS ? (size_t)octets[1] * 8 + 8 : 0;
}

/* Where the TCP header begins behind the extensions from `at` on, of which `next` is the first; takes them off what IP
 * carries. 0: there is none. */
static size_t tcp_behind_extensions(const unsigned char *octets, size_t have, size_t at, unsigned next,
                                    uint32_t *carried)
{
    size_t len;

    for (int i = 0; i < EXTENSIONS_MAX && next != TCP_PROTOCOL; i++) {
        len = at < have ? extension_octets(octets + at, have - at, next) : 0;
        if (len == 0) {
            return 0;
        }
        next = octets[at];
        at += len;
        *carried -= MIN(*carried, (uint32_t)len);
    }
    return next == TCP_PROTOCOL ? at : 0;
}

/* Where the TCP header behind an IP header begins whose addresses are at `addresses`, `len` octets each, and how many
 * octets IP carries from there on; 0 when no IP header of TCP stands there. */
static size_t tcp_behind(const unsigned char *octets, size_t have, size_t addresses, size_t len, uint32_t *carried)
{
    size_t ip, head;

    if (len == ADDRESS_MAX) {
        if (addresses < 8) {
            return 0;
        }
        *carried = number_at(octets + addresses - 4, 2);
        return tcp_behind_extensions(octets, have, addresses + 2 * (size_t)ADDRESS_MAX, octets[addresses - 2], carried);
    }
    if (addresses < 12) {
        return 0;
    }
    ip = addresses - 12;
    head = (size_t)(octets[ip] & 15) * 4;
    *carried = number_at(octets + ip + 2, 2);
    *carried -= MIN(*carried, (uint32_t)head); /* a packet that the network card cuts may have no length yet */
    if (octets[ip] >> 4 != 4 || number_at(octets + ip + 6, 2) & OF_SEVERAL) {
        return 0;
    }
    return tcp_behind_extensions(octets, have, ip + head, octets[addresses - 3], carried);
}

static bool ports_are(const unsigned char *tcp, const packet_info *pinfo)
{
    return number_at(tcp, 2) == pinfo->srcport && number_at(tcp + 2, 2) == pinfo->destport;
}

/* The packet's TCP header, or NULL; all that is asked of it was captured. */
static const unsigned char *header_of(const unsigned char *octets, size_t len_all, const packet_info *pinfo,
                                      uint32_t *carried)
{
    size_t have = MIN(len_all, (size_t)HEADERS_MAX);
    unsigned char addresses[2 * ADDRESS_MAX];
    size_t len = (size_t)pinfo->src.len;

    if ((len != 4 && len != ADDRESS_MAX) || (size_t)pinfo->dst.len != len) {
        return NULL;
    }
    memcpy(addresses, pinfo->src.data, len);
    memcpy(addresses + len, pinfo->dst.data, len);
    for (size_t at = 0; at + 2 * len <= have; at++) {
        bool here = octets[at] == addresses[0] && memcmp(octets + at, addresses, 2 * len) == 0;
        size_t tcp = here ? tcp_behind(octets, have, at, len, carried) : 0;

        if (tcp && tcp + TCP_OCTETS <= have && ports_are(octets + tcp, pinfo)) {
            return octets + tcp;
        }
    }
    return NULL;
}

/* The TCP header in one of the packet's sources of data, and that source. What Wireshark has put together from
 * fragments of IP is one of its own: it begins with the header, or holds it, where a tunnel's packet was in fragments.
 * NULL: there is none. */
static const unsigned char *look_for(const packet_info *pinfo, tvbuff_t **tvb, uint32_t *carried)
{
    for (const GSList *source = pinfo->data_src; source; source = source->next) {
        size_t captured = tvb_captured_length(*tvb = get_data_source_tvb(source->data));
        const unsigned char *octets = captured ? tvb_get_ptr(*tvb, 0, (gint)captured) : NULL, *tcp;

        if (source != pinfo->data_src && captured >= TCP_OCTETS && ports_are(octets, pinfo)) {
            *carried = tvb_reported_length(*tvb);
            return octets;
        }
        tcp = octets ? header_of(octets, captured, pinfo, carried) : NULL;
        if (tcp) {
            return tcp;
        }
    }
    return NULL;
}

static struct wire_end end_of(const address *at, uint32_t port)
{
    struct wire_end end = {.family = at->len == ADDRESS_MAX ? 6 : 4, .port = (uint16_t)port};

    memcpy(end.address, at->data, (size_t)at->len);
    return end;
}

bool segment_of(packet_info *pinfo, struct wire_segment *segment)
{
    tvbuff_t *tvb = NULL;
    size_t captured, whole, head, data, len;
    uint32_t carried = 0;
    const unsigned char *tcp = pinfo->ptype == PT_TCP ? look_for(pinfo, &tvb, &carried) : NULL, *octets;

    if (!tcp) {
        return false;
    }
    captured = tvb_captured_length(tvb);
    whole = tvb_reported_length(tvb);
    octets = tvb_get_ptr(tvb, 0, (gint)captured);
    head = (size_t)(tcp[TCP_LENGTH] >> 4) * 4;
    data = (size_t)(tcp - octets) + head;
    len =
        carried ? carried : whole - (size_t)(tcp - octets); /* a packet that the network card cuts has no length yet */
    if (head < TCP_OCTETS || len < head || data > captured) {
        return false;
    }
    *segment = (struct wire_segment){.from = end_of(&pinfo->src, pinfo->srcport),
                                     .to = end_of(&pinfo->dst, pinfo->destport),
                                     .seq = number_at(tcp + TCP_SEQUENCE, 4),
                                     .ack = number_at(tcp + TCP_ACKNOWLEDGEMENT, 4),
                                     .flags = tcp[TCP_FLAGS],
                                     .has_options = head > TCP_OCTETS,
                                     .data = octets + data};
    segment->len = MIN(captured - data, len - head);
    segment->missing = len - head - segment->len;
    segment->checksum = wire_checksum_of(segment, tcp, head);
    segment->path = wire_path_of(tcp, head, len > head);
    return true;
}

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The end of a direction, read from the TCP header; see close.h. Wireshark keeps that header to itself, so it is looked
 * for in the packet: behind the two addresses, with the two ports in front.
 */
#include "dissector/common/close.h"

#include <string.h>

enum {
    HEADERS_MAX = 512, /* octets at a packet's beginning in which its TCP header is looked for */
    ADDRESS_MAX = 16,
    TCP_PROTOCOL = 6,
    TCP_SEQUENCE = 4, /* offsets in a TCP header */
    TCP_LENGTH = 12,
    TCP_FLAGS = 13,
    FIN = 0x01,
    RESET = 0x04,
};

static uint32_t number_at(const unsigned char *octets, unsigned count)
{
    uint32_t number = 0;

    for (unsigned i = 0; i < count; i++) {
        number = number << 8 | octets[i];
    }
    return number;
}

/* Where the TCP header behind an IP header begins whose addresses are at `addresses`, `len` octets each, and how many
 * octets IP carries from there on; 0 when no IP header of TCP stands there. */
static size_t tcp_behind(const unsigned char *octets, size_t addresses, size_t len, uint32_t *carried)
{
    size_t ip, head;

    if (len == ADDRESS_MAX) { /* IPv6: length and next header stand four and two octets before the addresses */
        if (addresses < 8 || octets[addresses - 2] != TCP_PROTOCOL) {
            return 0;
        }
        *carried = number_at(octets + addresses - 4, 2);
        return addresses + 2 * len;
    }
    if (addresses < 12 || octets[addresses - 3] != TCP_PROTOCOL) {
        return 0;
    }
    ip = addresses - 12;
    head = (size_t)(octets[ip] & 15) * 4;
    *carried = number_at(octets + ip + 2, 2);
    *carried -= MIN(*carried, (uint32_t)head); /* a packet that the network card cuts may have no length yet */
    return octets[ip] >> 4 == 4 ? ip + head : 0;
}

static bool ports_are(const unsigned char *tcp, const packet_info *pinfo)
{
    return number_at(tcp, 2) == pinfo->srcport && number_at(tcp + 2, 2) == pinfo->destport;
}

/* The packet's TCP header, or NULL; all that is asked of it was captured. */
static const unsigned char *header_of(tvbuff_t *tvb, const packet_info *pinfo, uint32_t *carried)
{
    size_t have = MIN(tvb_captured_length(tvb), (guint)HEADERS_MAX);
    const unsigned char *octets = have ? tvb_get_ptr(tvb, 0, (gint)have) : NULL;
    unsigned char addresses[2 * ADDRESS_MAX];
    size_t len = (size_t)pinfo->src.len;

    if ((len != 4 && len != ADDRESS_MAX) || (size_t)pinfo->dst.len != len) {
        return NULL;
    }
    memcpy(addresses, pinfo->src.data, len);
    memcpy(addresses + len, pinfo->dst.data, len);
    for (size_t at = 0; at + 2 * len <= have; at++) {
        size_t tcp = memcmp(octets + at, addresses, 2 * len) == 0 ? tcp_behind(octets, at, len, carried) : 0;

        if (tcp && tcp + TCP_FLAGS < have && ports_are(octets + tcp, pinfo)) {
            return octets + tcp;
        }
    }
    return NULL;
}

static int64_t magnitude(int32_t distance)
{
    return distance < 0 ? -(int64_t)distance : distance;
}

/* Whether the octets that have been seen reach as far as `end`, a sequence number on the wire. Wireshark counts from
 * the SYN, unless the user has switched that off; which of the two it is tells the nearer. */
static bool seen_up_to(const struct way *way, packet_info *pinfo, uint32_t end)
{
    const struct tcp_analysis *analysis = get_tcp_conversation_data(NULL, pinfo);
    uint32_t base = analysis ? analysis->fwd->base_seq : 0;
    int32_t plain = (int32_t)(end - way->seen_seq);
    int32_t counted = (int32_t)(end - base - way->seen_seq);

    if (!way->begun) {
        return !analysis || end == base || end == base + 1;
    }
    return (magnitude(counted) < magnitude(plain) ? counted : plain) <= 0;
}

struct close_sign close_sign_of(tvbuff_t *tvb, packet_info *pinfo, const struct way *way)
{
    struct close_sign sign = {0};
    uint32_t carried = 0;
    const unsigned char *tcp = header_of(tvb, pinfo, &carried);
    uint32_t head;

    if (!tcp) {
        return sign;
    }
    head = (uint32_t)(tcp[TCP_LENGTH] >> 4) * 4;
    sign.reset = tcp[TCP_FLAGS] & RESET;
    sign.fin = !sign.reset && tcp[TCP_FLAGS] & FIN;
    sign.gap =
        sign.fin && carried >= head && !seen_up_to(way, pinfo, number_at(tcp + TCP_SEQUENCE, 4) + carried - head);
    return sign;
}

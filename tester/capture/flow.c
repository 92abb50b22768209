/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One TCP connection as packets of a capture (pcapng.h): Ethernet, IPv4 and TCP headers around the octets that passed
 * through a socket. Every segment acknowledges all that the manager had seen of the other side by then; so a reader
 * finds an unbroken conversation. The window is scaled so far that no segment can exceed it.
 */
#include "tester/capture/pcapng.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    ETHERNET = 14,
    IPV4 = 20,
    TCP = 20,
    UDP = 8,
    DATAGRAM_MAX = 2048,
    TCP_OPTIONS = 8, /* of a SYN: maximum segment size, window scale */
    SEGMENT_MAX = 60000,
    FIN = 0x01,
    SYN = 0x02,
    RST = 0x04,
    PSH = 0x08,
    ACK = 0x10,
};

static void put_u16(unsigned char *at, unsigned value)
{
    at[0] = (unsigned char)(value >> 8);
    at[1] = (unsigned char)value;
}

static void put_u32(unsigned char *at, uint32_t value)
{
    put_u16(at, value >> 16);
    put_u16(at + 2, value & 0xffff);
}

/* The sum of 16-bit words, not yet folded (RFC 1071). */
static uint32_t sum_words(uint32_t sum, const unsigned char *octets, size_t len)
{
    for (size_t i = 0; i + 1 < len; i += 2) {
        sum += (uint32_t)(octets[i] << 8 | octets[i + 1]);
    }
    return len % 2 ? sum + (uint32_t)(octets[len - 1] << 8) : sum;
}

static unsigned fold(uint32_t sum)
{
    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return ~sum & 0xffff;
}

static void put_ethernet(unsigned char *at, const struct sockaddr_in *from, const struct sockaddr_in *to)
{
    memset(at, 0, ETHERNET);
    at[0] = at[6] = 2; /* locally administered addresses that hold the IPv4 address */
    memcpy(at + 2, &to->sin_addr, 4);
    memcpy(at + 8, &from->sin_addr, 4);
    put_u16(at + 12, 0x0800);
}

static void put_ipv4(unsigned char *at, const struct sockaddr_in *from, const struct sockaddr_in *to, int protocol,
                     size_t payload)
{
    memset(at, 0, IPV4);
    at[0] = 0x45;
    put_u16(at + 2, (unsigned)(IPV4 + payload));
    put_u16(at + 6, 0x4000); /* do not fragment */
    at[8] = 64;
    at[9] = (unsigned char)protocol;
    memcpy(at + 12, &from->sin_addr, 4);
    memcpy(at + 16, &to->sin_addr, 4);
    put_u16(at + 10, fold(sum_words(0, at, IPV4)));
}

static size_t put_tcp(unsigned char *at, const struct flow *flow, enum flow_side from, unsigned flags)
{
    static const unsigned char options[TCP_OPTIONS] = {2, 4, 0xff, 0xd7, 1, 3, 3, 14};
    size_t header = flags & SYN ? TCP + TCP_OPTIONS : TCP;

    memset(at, 0, TCP);
    memcpy(at, &flow->ends[from].sin_port, 2);
    memcpy(at + 2, &flow->ends[!from].sin_port, 2);
    put_u32(at + 4, flow->next[from]);
    put_u32(at + 8, flags & ACK ? flow->next[!from] : 0);
    at[12] = (unsigned char)(header / 4 << 4);
    at[13] = (unsigned char)flags;
    put_u16(at + 14, 0xffff);
    if (flags & SYN) {
        memcpy(at + TCP, options, TCP_OPTIONS);
    }
    return header;
}

static void put_tcp_checksum(unsigned char *ip, unsigned char *tcp, size_t len)
{
    uint32_t sum = sum_words(0, ip + 12, 8) + IPPROTO_TCP + (uint32_t)len;

    put_u16(tcp + 16, fold(sum_words(sum, tcp, len)));
}

static void segment(struct pcapng *capture, struct flow *flow, enum flow_side from, unsigned flags, const void *data,
                    size_t len)
{
    unsigned char packet[ETHERNET + IPV4 + TCP + TCP_OPTIONS + SEGMENT_MAX];
    unsigned char *ip = packet + ETHERNET, *tcp = ip + IPV4;
    size_t header = put_tcp(tcp, flow, from, flags);

    if (len) {
        memcpy(tcp + header, data, len);
    }
    put_ethernet(packet, &flow->ends[from], &flow->ends[!from]);
    put_ipv4(ip, &flow->ends[from], &flow->ends[!from], IPPROTO_TCP, header + len);
    put_tcp_checksum(ip, tcp, header + len);
    if (capture) {
        pcapng_packet(capture, flow->interface, from == FLOW_SUT ? PCAPNG_INBOUND : PCAPNG_OUTBOUND, packet,
                      ETHERNET + IPV4 + header + len);
    }
    flow->next[from] += (uint32_t)len + (flags & (SYN | FIN) ? 1 : 0);
}

void flow_open(struct pcapng *capture, struct flow *flow, enum flow_side opener)
{
    flow->open = true;
    if (flow->listener) {
        flow->listener->opened(flow->listener->context, opener);
    }
    segment(capture, flow, opener, SYN, NULL, 0);
    segment(capture, flow, !opener, SYN | ACK, NULL, 0);
    segment(capture, flow, opener, ACK, NULL, 0);
}

void flow_data(struct pcapng *capture, struct flow *flow, enum flow_side from, const void *octets, size_t len)
{
    const unsigned char *at = octets;

    if (flow->open && !flow->finished[from] && len && flow->listener) {
        flow->listener->octets(flow->listener->context, from, octets, len);
    }
    while (flow->open && !flow->finished[from] && len) {
        size_t part = len > SEGMENT_MAX ? SEGMENT_MAX : len;
        segment(capture, flow, from, PSH | ACK, at, part);
        at += part;
        len -= part;
    }
}

void flow_finish(struct pcapng *capture, struct flow *flow, enum flow_side from)
{
    if (flow->open && !flow->finished[from]) {
        if (flow->listener) {
            flow->listener->ended(flow->listener->context, from, false);
        }
        segment(capture, flow, from, FIN | ACK, NULL, 0);
        segment(capture, flow, !from, ACK, NULL, 0);
        flow->finished[from] = true;
    }
}

void flow_reset(struct pcapng *capture, struct flow *flow, enum flow_side from)
{
    if (flow->open && !flow->finished[from]) {
        if (flow->listener) {
            flow->listener->ended(flow->listener->context, from, true);
        }
        segment(capture, flow, from, RST | ACK, NULL, 0);
        flow->open = false;
    }
}

/* Without a check sum, which UDP permits. */
void flow_datagram(struct pcapng *capture, enum flow_side side, const struct sockaddr_in *const ends[2],
                   const void *octets, size_t len)
{
    const struct sockaddr_in *from = ends[side], *to = ends[!side];
    unsigned char packet[ETHERNET + IPV4 + UDP + DATAGRAM_MAX];
    unsigned char *ip = packet + ETHERNET, *udp = ip + IPV4;

    if (!capture || len > DATAGRAM_MAX) {
        return;
    }
    put_ethernet(packet, from, to);
    put_ipv4(ip, from, to, IPPROTO_UDP, UDP + len);
    memcpy(udp, &from->sin_port, 2);
    memcpy(udp + 2, &to->sin_port, 2);
    put_u16(udp + 4, (unsigned)(UDP + len));
    put_u16(udp + 6, 0);
    memcpy(udp + UDP, octets, len);
    pcapng_packet(capture, PCAPNG_WIRE, side == FLOW_SUT ? PCAPNG_INBOUND : PCAPNG_OUTBOUND, packet,
                  (size_t)(ETHERNET + IPV4 + UDP) + len);
}

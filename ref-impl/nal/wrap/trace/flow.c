/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The packets of the trace; see flow.h. Each has an Ethernet, an IPv4 and a TCP header written field by field;
 * long messages are cut into several, as a network would do.
 */
#include "ref-impl/nal/wrap/trace/flow.h"

#include "wire/octets/cursor.h"
#include "wire/portals/rules.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ETHERNET_OCTETS = 14,
    IPV4_OCTETS = 20,
    TCP_OCTETS = 20,
    HEAD_OCTETS = ETHERNET_OCTETS + IPV4_OCTETS + TCP_OCTETS,
    SEGMENT_OCTETS = 60000, /* of a message in one packet; the whole stays below what IPv4 can say */
    BLANK_SEGMENTS = 16,    /* of a message that lack octets; a length that a peer claims must not fill the disk */
    OPENER_FIRST = 1024,    /* of the ports from which connections of further interfaces are opened */
    OPENER_MEMBERS = 10240, /* ports for each interface, below those at which processes are started to listen */
    OPENER_INTERFACES = 3,
    FLAG_SYN = 2,
    FLAG_PUSH = 8,
    FLAG_ACK = 16,
};

/* struct segment is what one packet carries: octets of the message's header, and of its payload. */
struct segment {
    struct iovec parts[2];
    size_t wire_octets; /* of both, also where they are not known */
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The Internet checksum, still to be complemented. `at_odd` says that the octets begin in the middle of a word. */
static uint32_t checksum_add(uint32_t sum, const void *octets, size_t len, bool at_odd)
{
    const unsigned char *at = octets;

    for (size_t i = 0; i < len; i++) {
        sum += (i % 2 == 0) != at_odd ? (uint32_t)at[i] << 8 : at[i];
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return sum;
}

/* A hardware address that is nobody's: locally administered, made of the node id. */
static void ethernet_address(struct wire_writer *writer, uint32_t nid)
{
    wire_write_u16(writer, 0x0200);
    wire_write_u32(writer, nid);
}

static void ipv4_write(unsigned char *at, const struct trace_flow *flow, int from, size_t tcp_octets)
{
    struct wire_writer writer = wire_writer_over(at, IPV4_OCTETS);

    wire_write_u16(&writer, 0x4500);
    wire_write_u16(&writer, (uint16_t)(IPV4_OCTETS + tcp_octets));
    wire_write_u32(&writer, 0x00004000); /* no fragments */
    wire_write_u16(&writer, 0x4006);     /* 64 hops, TCP */
    wire_write_u16(&writer, 0);
    wire_write_u32(&writer, flow->ends[from].nid);
    wire_write_u32(&writer, flow->ends[1 - from].nid);
    uint16_t sum = (uint16_t)~checksum_add(0, at, IPV4_OCTETS, false);
    writer = wire_writer_over(at + 10, 2);
    wire_write_u16(&writer, sum);
}

static void tcp_write(unsigned char *at, const struct trace_flow *flow, int from, unsigned flags)
{
    struct wire_writer writer = wire_writer_over(at, TCP_OCTETS);

    wire_write_u16(&writer, flow->ports[from]);
    wire_write_u16(&writer, flow->ports[1 - from]);
    wire_write_u32(&writer, flow->sequence[from]);
    wire_write_u32(&writer, flags & FLAG_ACK ? flow->sequence[1 - from] : 0);
    wire_write_u16(&writer, (uint16_t)(0x5000 | flags));
    wire_write_u16(&writer, UINT16_MAX); /* the window: always open */
    wire_write_u32(&writer, 0);
}

/* The checksum of a TCP segment, header in `tcp`; where octets are not known it is left out. */
static void tcp_checksum(unsigned char *tcp, const unsigned char *ipv4, const struct segment *segment)
{
    unsigned char rest[4] = {0, 6, 0, 0};
    size_t len = TCP_OCTETS + segment->wire_octets;
    size_t known = segment->parts[0].iov_len + segment->parts[1].iov_len;
    struct wire_writer writer = wire_writer_over(rest + 2, 2);

    if (known < segment->wire_octets) {
        return;
    }
    wire_write_u16(&writer, (uint16_t)len);
    uint32_t sum = checksum_add(0, ipv4 + 12, 8, false);
    sum = checksum_add(sum, rest, sizeof rest, false);
    sum = checksum_add(sum, tcp, TCP_OCTETS, false);
    sum = checksum_add(sum, segment->parts[0].iov_base, segment->parts[0].iov_len, false);
    sum = checksum_add(sum, segment->parts[1].iov_base, segment->parts[1].iov_len, segment->parts[0].iov_len % 2 != 0);
    writer = wire_writer_over(tcp + 16, 2);
    wire_write_u16(&writer, (uint16_t)~sum);
}

/* Writes one packet from end `from`, and moves the sequence on. */
static bool packet_write(struct trace_flows *flows, struct trace_flow *flow, int from, unsigned flags,
                         const struct segment *segment, const char *comment)
{
    unsigned char head[HEAD_OCTETS];
    struct wire_writer writer = wire_writer_over(head, ETHERNET_OCTETS);
    struct pcapng_packet packet = {.time_ns = now_ns(), .part_count = 3, .comment = comment};

    ethernet_address(&writer, flow->ends[1 - from].nid);
    ethernet_address(&writer, flow->ends[from].nid);
    wire_write_u16(&writer, 0x0800);
    ipv4_write(head + ETHERNET_OCTETS, flow, from, TCP_OCTETS + segment->wire_octets);
    tcp_write(head + ETHERNET_OCTETS + IPV4_OCTETS, flow, from, flags);
    tcp_checksum(head + ETHERNET_OCTETS + IPV4_OCTETS, head + ETHERNET_OCTETS, segment);
    packet.parts[0] = (struct iovec){head, sizeof head};
    packet.parts[1] = segment->parts[0];
    packet.parts[2] = segment->parts[1];
    packet.wire_octets = HEAD_OCTETS + segment->wire_octets;
    flow->sequence[from] += (uint32_t)segment->wire_octets + ((flags & FLAG_SYN) != 0);
    return pcapng_write(flows->capture, &packet);
}

/* Cuts a message into packets. Of octets that are not to be had there are a few packets only, then there is a gap. */
static bool message_write(struct trace_flows *flows, struct trace_flow *flow, const struct trace_message *message,
                          const char *comment)
{
    unsigned char head[WIRE_PORTALS_HEADER_MAX];
    size_t head_octets = 0;
    int from = message->sent ? 0 : 1;
    const unsigned char *payload = message->payload;
    uint64_t left = message->payload_octets;
    uint64_t known = message->known;
    unsigned blanks = 0;
    bool good = true;

    if (wire_portals_encode(message->header, head, sizeof head, &head_octets) != WIRE_OK) {
        errno = EINVAL;
        return false;
    }
    do {
        size_t whole = left < SEGMENT_OCTETS ? (size_t)left : SEGMENT_OCTETS;
        size_t here = known < whole ? (size_t)known : whole;
        struct segment segment = {{{head, head_octets}, {(void *)(uintptr_t)payload, here}}, head_octets + whole};

        good = packet_write(flows, flow, from, FLAG_PUSH | FLAG_ACK, &segment, comment);
        payload += here;
        known -= here;
        left -= whole;
        blanks += here < whole;
        head_octets = 0;
        comment = NULL;
    } while (good && left > 0 && blanks < BLANK_SEGMENTS);
    flow->sequence[from] += (uint32_t)left;
    return good;
}

static bool handshake_write(struct trace_flows *flows, struct trace_flow *flow)
{
    int opener = flow->opener;
    struct segment nothing = {{{NULL, 0}, {NULL, 0}}, 0};
    const char *comment = "made up by the trace: the connection itself was not watched";

    flow->open = true;
    return packet_write(flows, flow, opener, FLAG_SYN, &nothing, comment) &&
           packet_write(flows, flow, 1 - opener, FLAG_SYN | FLAG_ACK, &nothing, NULL) &&
           packet_write(flows, flow, opener, FLAG_ACK, &nothing, NULL);
}

static bool hello_write(struct trace_flows *flows, struct trace_flow *flow, bool sent)
{
    struct wire_portals_header hello = {
        .operation = WIRE_PORTALS_HELLO,
        .version_major = WIRE_PORTALS_MAJOR,
        .version_minor = WIRE_PORTALS_MINOR,
        .initiator = flow->ends[sent ? 0 : 1],
        .target = flow->ends[sent ? 1 : 0],
        .interface = flows->interface,
        .group_size = flows->group_size,
    };
    struct trace_message message = {.header = &hello, .sent = sent};

    flow->greeted[sent ? 0 : 1] = true;
    return message_write(flows, flow, &message, "made up by the trace: the opening of the stream was not watched");
}

/* The port from which a process opened the connection of an interface other than 0: of an interface one for each
 * member of a group; others go by their process ids, of which two may have one port. */
static uint16_t opener_port(const struct wire_portals_id *opener, const struct wire_portals_id *acceptor,
                            uint32_t interface)
{
    uint32_t place = opener->pid * (OPENER_INTERFACES + 1) + interface;

    if (opener->gid == acceptor->gid) {
        place = (interface - 1) % OPENER_INTERFACES * OPENER_MEMBERS + opener->rid % OPENER_MEMBERS;
    }
    uint32_t port = OPENER_FIRST + place % (OPENER_INTERFACES * OPENER_MEMBERS);
    return (uint16_t)(port == wire_portals_port_of(opener->pid) ? OPENER_FIRST - 1 : port);
}

/* Says between which ports the connection is, and who opened it. That of interface 0 is between the ports at which the
 * processes listen, opened by `speaker`, the end that speaks first. Of another interface the process with the lower id
 * opened it, from a port that tells the interfaces apart: so do both captures show it, whoever speaks first. */
static void flow_place(struct trace_flow *flow, uint32_t interface, int speaker)
{
    const struct wire_portals_id *self = &flow->ends[0];
    const struct wire_portals_id *peer = &flow->ends[1];
    bool self_lower = self->nid != peer->nid ? self->nid < peer->nid : self->pid <= peer->pid;

    flow->ports[0] = (uint16_t)wire_portals_port_of(self->pid);
    flow->ports[1] = (uint16_t)wire_portals_port_of(peer->pid);
    flow->opener = speaker;
    if (interface != 0) {
        flow->opener = self_lower ? 0 : 1;
        flow->ports[flow->opener] = opener_port(&flow->ends[flow->opener], &flow->ends[1 - flow->opener], interface);
    }
}

/* The connection with that peer, of whose two ends `speaker` speaks now; NULL without memory. */
static struct trace_flow *flow_find(struct trace_flows *flows, const struct wire_portals_id *peer, int speaker)
{
    struct trace_flow *flow = flows->first;

    while (flow && (flow->ends[1].nid != peer->nid || flow->ends[1].pid != peer->pid)) {
        flow = flow->next;
    }
    if (flow) {
        return flow;
    }
    flow = calloc(1, sizeof *flow);
    if (flow) {
        flow->ends[0] = flows->self;
        flow->ends[1] = *peer;
        flow_place(flow, flows->interface, speaker);
        flow->next = flows->first;
        flows->first = flow;
    }
    return flow;
}

bool trace_flow_show(struct trace_flows *flows, const struct trace_message *message)
{
    const struct wire_portals_header *header = message->header;
    const struct wire_message *kind = wire_portals_message_of(wire_portals_kind(header));
    int from = message->sent ? 0 : 1;
    struct trace_flow *flow = flow_find(flows, message->sent ? &header->target : &header->initiator, from);
    bool good = flow && kind;
    char comment[160];

    if (good && !flow->open) {
        good = handshake_write(flows, flow);
    }
    if (good && !message->sent) {
        flow->ends[1] = header->initiator; /* now all four ids of the peer are known */
    }
    if (good && !flow->greeted[from]) {
        good = hello_write(flows, flow, message->sent);
    }
    if (!good) {
        return false;
    }
    snprintf(comment, sizeof comment, "%s by rank %u: %s%s", message->sent ? "sent" : "received",
             (unsigned)flows->self.rid, kind->label, message->note ? message->note : "");
    return message_write(flows, flow, message, comment);
}

void trace_flow_end(struct trace_flows *flows)
{
    while (flows->first) {
        struct trace_flow *next = flows->first->next;

        free(flows->first);
        flows->first = next;
    }
}

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The two directions of one TCP connection, each a stream of messages. A direction remembers the HELLO that opened it,
 * by which its messages are judged, and where it stands when Wireshark does not put the pieces of a message together:
 * because it is too long for that, because reassembly is switched off, or because messages cannot be told apart any
 * more.
 */
#ifndef DISSECTOR_STREAM_H
#define DISSECTOR_STREAM_H

#include "dissector/wireshark_compat.h"

#include "wire/portals.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/packet.h>

struct wire_portals_check_stream;

/* One direction. What comes after `hello_frame` is where the first pass stands. */
struct stream_way {
    bool greeted; /* a HELLO has been seen */
    struct wire_portals_header hello;
    uint32_t hello_frame; /* the packet that held it */
    bool again;           /* a NUMBER has come that was seen before: so was the message behind it */
    bool early;           /* or one whose turn it is not yet: it will come again */

    bool begun;    /* a segment has been seen */
    bool followed; /* a message has been found */
    bool lost;     /* messages cannot be told apart: look for one at the start of each segment */
    bool accepted; /* the side that listened sends here; known when `check` is there */
    struct wire_portals_check_stream *check; /* of both directions; NULL until the checker follows the stream */
    uint32_t seen_seq;                       /* TCP sequence number behind the last segment */

    uint64_t left; /* octets still to come of a payload that is not put together */
    uint64_t total;
    uint32_t payload_frame; /* the packet with its header */
    uint32_t next_seq;      /* TCP sequence number at which it goes on */
};

/* What the first pass found out about the beginning of a segment. */
struct stream_start {
    uint64_t skip;          /* octets that belong to the payload of an earlier message */
    uint64_t before;        /* octets of that payload in earlier packets */
    uint64_t total;         /* its whole length */
    uint32_t payload_frame; /* the packet with its header */
    bool lost;              /* nothing in the segment can be told */
    bool opening;           /* it is the first of its direction, and the capture holds the connection's beginning */
};

/* stream_way_of - the direction in which this packet travels, made when there is none yet; the other one to `back`. */
struct stream_way *stream_way_of(int proto, packet_info *pinfo, struct stream_way **back);

/* stream_start_of - judges the beginning of the segment `tvb` on the first pass, and moves the direction on: octets of
 * an earlier payload are accounted for. `tcp` may be NULL; then no payload can be continued. */
struct stream_start stream_start_of(struct stream_way *way, tvbuff_t *tvb, packet_info *pinfo,
                                    const struct tcpinfo *tcp);

/* stream_payload_open - notes that `missing` of `total` octets of a payload will follow in later segments. */
void stream_payload_open(struct stream_way *way, uint64_t missing, uint64_t total, const packet_info *pinfo,
                         const struct tcpinfo *tcp);

/* stream_opens_with_hello - whether these octets begin with a HELLO of any version. */
bool stream_opens_with_hello(tvbuff_t *tvb);

/* stream_begins_message - whether these octets begin with a message in mid-stream: a known operation, the node ids of
 * both ends of the IP packet, and the port of that end which listens. Certain enough to guess by. */
bool stream_begins_message(tvbuff_t *tvb, const packet_info *pinfo);

/* stream_end_is - whether the process can be the one to which this packet goes: node and process id are its address and
 * port. True where the address is not of IPv4. */
bool stream_end_is(const struct wire_portals_id *id, const packet_info *pinfo);

#endif

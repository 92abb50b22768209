/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The two directions of one TCP connection, each a stream of messages. A direction remembers the HELLO that opened it,
 * by which its messages are judged.
 */
#ifndef DISSECTOR_PORTALS_STREAM_H
#define DISSECTOR_PORTALS_STREAM_H

#include "dissector/common/way.h"
#include "dissector/common/wireshark_compat.h"

#include "wire/portals/messages.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/packet.h>

/* One direction. */
struct stream_way {
    struct way at; /* where the first pass stands */
    bool guessed;  /* found by the first octets that came, and not named by the user */
    bool greeted;  /* a HELLO has been seen */
    struct wire_portals_header hello;
    uint32_t hello_frame; /* the packet that held it */
    bool again;           /* a NUMBER has come that was seen before: so was the message behind it */
    bool early;           /* or one whose turn it is not yet: it will come again */
};

/* stream_way_of - the direction in which this packet travels, made when there is none yet; the other one to `back`. */
struct stream_way *stream_way_of(int proto, packet_info *pinfo, struct stream_way **back);

/* stream_way_known - the same, or NULL when no octets of the connection have been taken for Portals. */
struct stream_way *stream_way_known(int proto, packet_info *pinfo, struct stream_way **back);

/* stream_start_of - as way_start_of, and judges whether a message begins at the start of the segment. */
struct way_start stream_start_of(struct stream_way *way, tvbuff_t *tvb, packet_info *pinfo, const struct tcpinfo *tcp);

/* stream_opens_with_hello - whether these octets begin with a HELLO of any version. */
bool stream_opens_with_hello(tvbuff_t *tvb);

/* stream_begins_message - whether these octets begin with a message in mid-stream: a known operation, the node ids of
 * both ends of the IP packet, and the port of that end which listens. Certain enough to guess by. */
bool stream_begins_message(tvbuff_t *tvb, const packet_info *pinfo);

/* stream_end_is - whether the process can be the one to which this packet goes: node and process id are its address and
 * port. True where the address is not of IPv4. */
bool stream_end_is(const struct wire_portals_id *id, const packet_info *pinfo);

#endif

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * One direction of a TCP connection, whatever protocol it carries: where it stands when Wireshark does not put the
 * pieces of a message together, because it is too long for that, because reassembly is switched off, or because
 * messages cannot be told apart any more. Each protocol of this plugin keeps one for either direction, inside what it
 * knows itself (dissector/portals/stream.h, dissector/impi/stream.h).
 */
#ifndef DISSECTOR_COMMON_WAY_H
#define DISSECTOR_COMMON_WAY_H

#include "dissector/common/wireshark_compat.h"

#include <epan/dissectors/packet-tcp.h>
#include <epan/packet.h>

/* Where the first pass stands. Zeroed, a direction of which nothing has been seen. */
struct way {
    bool begun;        /* a segment has been seen */
    bool followed;     /* a message has been found */
    bool lost;         /* messages cannot be told apart: look for one at the start of each segment */
    bool waits;        /* the first octets of a message wait for the rest */
    uint32_t seen_seq; /* TCP sequence number behind the last segment */

    uint64_t left; /* octets still to come of a payload that is not put together */
    uint64_t total;
    uint32_t payload_frame; /* the packet with its header */
    uint32_t next_seq;      /* TCP sequence number at which it goes on */
};

/* What the first pass found out about the beginning of a segment. */
struct way_start {
    uint64_t skip;          /* octets that belong to the payload of an earlier message */
    uint64_t before;        /* octets of that payload in earlier packets */
    uint64_t total;         /* its whole length */
    uint32_t payload_frame; /* the packet with its header */
    bool lost;              /* nothing in the segment can be told */
    bool opening;           /* it is the first of its direction, and the capture holds the connection's beginning */
    bool gap;               /* octets before it are missing, or messages could not be told apart before */
};

/* way_number - 0 or 1 for the direction in which this packet travels: the same connection seen from either end gives
 * the same number for the same direction. */
unsigned way_number(const packet_info *pinfo);

/* way_start_of - judges the beginning of the segment `tvb` on the first pass, and moves the direction on: octets of an
 * earlier payload are accounted for. Whether a message begins behind them is the protocol's to judge; `lost` is left
 * false. `tcp` may be NULL; then no payload can be continued. */
struct way_start way_start_of(struct way *way, tvbuff_t *tvb, packet_info *pinfo, const struct tcpinfo *tcp);

/* way_payload_open - notes that `missing` of `total` octets of a payload will follow in later segments. */
void way_payload_open(struct way *way, uint64_t missing, uint64_t total, packet_info *pinfo, const struct tcpinfo *tcp);

#endif

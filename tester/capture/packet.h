/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A packet of a capture file.
 */
#ifndef TESTER_CAPTURE_PACKET_H
#define TESTER_CAPTURE_PACKET_H

#include <stddef.h>
#include <stdint.h>

/* Who sent a packet, where the file says so: evidence of cases does. */
enum capture_side { CAPTURE_NO_SIDE, CAPTURE_SYSTEM, CAPTURE_PEER };

/* A packet as the file holds it. `octets` are good until the next one is read. */
struct capture_packet {
    uint64_t number; /* as Wireshark counts, from 1 */
    int64_t when_ns; /* since 1970 */
    unsigned link;   /* link type, by the numbers of pcap and pcapng */
    const unsigned char *octets;
    size_t len;      /* octets that were captured */
    size_t wire_len; /* octets that there were */
    enum capture_side side;
    const char *comment; /* what the capture says of it, not ended by a zero; NULL: nothing */
    size_t comment_len;
};

/* What the next piece of a file is. */
enum capture_result { CAPTURE_PACKET, CAPTURE_END, CAPTURE_BROKEN };

#endif

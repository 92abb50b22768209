/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What whoever has a capture tells about it: TCP segments, and the packets in which they came.
 */
#ifndef WIRE_FOLLOW_SEGMENT_H
#define WIRE_FOLLOW_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One end of a connection. */
struct wire_end {
    uint8_t family; /* 4 or 6 */
    uint8_t address[16];
    uint16_t port;
};

enum { WIRE_TCP_FIN = 0x01, WIRE_TCP_SYN = 0x02, WIRE_TCP_RST = 0x04, WIRE_TCP_ACK = 0x10 };

/* What a segment's checksum says of it. */
enum wire_checksum { WIRE_CHECKSUM_UNKNOWN, WIRE_CHECKSUM_RIGHT, WIRE_CHECKSUM_WRONG, WIRE_CHECKSUM_ABSENT };

/* What it says of several paths, of which its connection is one. Numbers are those of the stream on all of them. */
struct wire_path {
    bool opens;        /* a further path of a stream that is open */
    bool placed;       /* its octets belong at `shift` and their number on this path, the first one's being 1 */
    bool acknowledges; /* octets of all paths, up to `acked` */
    bool ends;         /* the stream, at `end` */
    uint32_t shift, acked, end;
};

/* A TCP segment. */
struct wire_segment {
    struct wire_end from, to;
    uint32_t seq, ack;
    unsigned flags;
    bool has_options; /* of TCP: when a system of today opens a connection, it sends some */
    enum wire_checksum checksum;
    struct wire_path path;
    const unsigned char *data;
    size_t len;     /* octets of data that were captured */
    size_t missing; /* and that were not */
};

/* The packet of a segment. */
struct wire_packet {
    uint64_t number; /* as Wireshark counts, from 1 */
    int64_t when_ns; /* since 1970 */
};

/* Where memory comes from: `take` gives zeroed octets and never NULL, `give` takes them back. */
struct wire_memory {
    void *context;
    void *(*take)(void *context, size_t octets);
    void (*give)(void *context, void *memory);
};

/* wire_end_same - whether two ends are the same. */
bool wire_end_same(const struct wire_end *one, const struct wire_end *other);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading captures: files of pcap or pcapng, packets, TCP segments. Everything in them comes from outside: every
 * length is checked, and no more than a fixed number of octets is kept.
 */
#ifndef TESTER_CAPTURE_READ_H
#define TESTER_CAPTURE_READ_H

#include "tester/capture/packet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture;

/* capture_open opens the file and reads its head; NULL, and a message, when it is no capture. capture_close ends it. */
struct capture *capture_open(const char *path, char *message, size_t message_octets);
void capture_close(struct capture *capture);

/* capture_next reads the next packet. CAPTURE_BROKEN: the file is damaged or cut off; the message says where. */
enum capture_result capture_next(struct capture *capture, struct capture_packet *packet, char *message,
                                 size_t message_octets);

/* One end of a connection. */
struct capture_end {
    uint8_t family; /* 4 or 6 */
    uint8_t address[16];
    uint16_t port;
};

enum { CAPTURE_FIN = 0x01, CAPTURE_SYN = 0x02, CAPTURE_RST = 0x04, CAPTURE_ACK = 0x10 };

/* A TCP segment in a packet. */
struct capture_segment {
    struct capture_end from, to;
    uint32_t seq, ack;
    unsigned flags;
    const unsigned char *data;
    size_t len;     /* octets of data that were captured */
    size_t missing; /* and that were not */
};

enum capture_content {
    CAPTURE_SEGMENT,  /* a TCP segment */
    CAPTURE_OTHER,    /* something else that was understood */
    CAPTURE_FRAGMENT, /* a part of an IP packet, which is not put together */
    CAPTURE_STRANGE,  /* a link type that is not known, or octets that are no packet of their type */
};

/* capture_segment_of finds the TCP segment in a packet. */
enum capture_content capture_segment_of(const struct capture_packet *packet, struct capture_segment *segment);

/* capture_end_same compares two ends; capture_end_text writes "127.0.0.1:50001" or "[::1]:50001" (64 octets suffice).
 */
bool capture_end_same(const struct capture_end *one, const struct capture_end *other);
void capture_end_text(const struct capture_end *end, char *text, size_t room);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Reading captures: files of pcap or pcapng, packets, TCP segments. Everything in them comes from outside: every
 * length is checked, and no more than a fixed number of octets is kept.
 */
#ifndef TESTER_CAPTURE_READ_H
#define TESTER_CAPTURE_READ_H

#include "tester/capture/packet.h"
#include "wire/follow/segment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture;
struct capture_fragments;

/* capture_open opens the file ("-": the standard input), which gzip may have packed, and reads its head; NULL, and a
 * message, when it is no capture. capture_open_octets does so with a file in memory, which must live until
 * capture_close, the end of either. */
struct capture *capture_open(const char *path, char *message, size_t message_octets);
struct capture *capture_open_octets(const void *octets, size_t len, char *message, size_t message_octets);
void capture_close(struct capture *capture);

/* capture_next reads the next packet. CAPTURE_BROKEN: the file is damaged or cut off; the message says where. */
enum capture_result capture_next(struct capture *capture, struct capture_packet *packet, char *message,
                                 size_t message_octets);

enum capture_content {
    CAPTURE_SEGMENT,  /* a TCP segment */
    CAPTURE_DATAGRAM, /* a UDP datagram: ends and data are filled in */
    CAPTURE_OTHER,    /* something else that was understood */
    CAPTURE_FRAGMENT, /* a part of an IP packet, which is not complete */
    CAPTURE_STRANGE,  /* a link type that is not known, or octets that are no packet of their type */
};

/* capture_segment_of finds the TCP segment or UDP datagram in a packet; in that with which the last fragment of an IP
 * packet has come, what all of them hold, good until the next call. `fragments` (fragments.h): those of the packets
 * before, or NULL, when none is put together. */
enum capture_content capture_segment_of(const struct capture_packet *packet, struct capture_fragments *fragments,
                                        struct wire_segment *segment);

/* capture_end_text writes "127.0.0.1:50001" or "[::1]:50001" (64 octets suffice). */
void capture_end_text(const struct wire_end *end, char *text, size_t room);

#endif

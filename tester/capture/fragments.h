/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Putting fragments of IP packets together (RFC 791, RFC 8200), as their receiver does. A fragment of which octets were
 * not captured, or whose contents contradict another one's, makes no packet; nor does one that came long ago: a fixed
 * number of packets is under way at a time.
 */
#ifndef TESTER_CAPTURE_FRAGMENTS_H
#define TESTER_CAPTURE_FRAGMENTS_H

#include "wire/octets/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture_fragments;

enum { CAPTURE_FRAGMENT_ADDRESSES = 32 };

/* One fragment. Those of a packet have the same addresses (both, one behind the other), number and, over IPv4,
 * protocol. */
struct capture_fragment {
    unsigned char addresses[CAPTURE_FRAGMENT_ADDRESSES];
    uint32_t number;
    unsigned protocol; /* over IPv6 the next header: that of the first fragment counts */
    bool is_ipv6;
    size_t offset; /* in octets */
    bool more;     /* fragments follow */
    const unsigned char *octets;
    size_t len;
};

/* capture_fragments_open never returns NULL; capture_fragments_close frees, and takes NULL.
 * capture_fragments_take - takes the next fragment. True: it completes a packet, whose contents the reader is set over,
 * good until the next call, and whose protocol stands in `protocol`.
 * capture_fragments_left - how many fragments have made no packet. */
struct capture_fragments *capture_fragments_open(void);
void capture_fragments_close(struct capture_fragments *fragments);
bool capture_fragments_take(struct capture_fragments *fragments, const struct capture_fragment *piece,
                            struct wire_reader *whole, unsigned *protocol);
uint64_t capture_fragments_left(const struct capture_fragments *fragments);

#endif

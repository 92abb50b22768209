/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP's checksum (RFC 9293, section 3.1; of IPv6, RFC 8200, section 8.1) in captures (wire/follow/checksum.h).
 */
#include "wire/follow/checksum.h"

enum {
    TCP_PROTOCOL = 6,
    CHECKSUM = 16,     /* where it stands in a header */
    SINGLE_MOST = 1460 /* octets of data: what is longer may be several segments */
};

/* Numbers of 32 bits leave the same behind as those of 16 when the carries are folded. */
static uint64_t add(uint64_t sum, const unsigned char *octets, size_t len)
{
    size_t at = 0;

    for (; at + 4 <= len; at += 4) {
        sum += (uint32_t)octets[at] << 24 | (uint32_t)octets[at + 1] << 16 | (uint32_t)octets[at + 2] << 8 |
               octets[at + 3];
    }
    if (at + 2 <= len) {
        sum += (uint32_t)octets[at] << 8 | octets[at + 1];
        at += 2;
    }
    return at < len ? sum + ((uint32_t)octets[at] << 8) : sum;
}

static uint32_t folded(uint64_t sum)
{
    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint32_t)sum;
}

enum wire_checksum wire_checksum_of(const struct wire_segment *segment, const unsigned char *tcp, size_t header)
{
    size_t address = segment->from.family == 4 ? 4 : 16, len = header + segment->len;
    uint32_t stored = (uint32_t)tcp[CHECKSUM] << 8 | tcp[CHECKSUM + 1];
    uint64_t ends = add(add(TCP_PROTOCOL, segment->from.address, address), segment->to.address, address);

    if (segment->missing || segment->len > SINGLE_MOST) {
        return WIRE_CHECKSUM_UNKNOWN;
    }
    if (folded(add(ends + len, tcp, len)) == 0xffff) { /* of some segments that is 0 */
        return WIRE_CHECKSUM_RIGHT;
    }
    if (stored == 0) {
        return WIRE_CHECKSUM_ABSENT;
    }
    /* a sender leaves this much to its card, with the length or without it */
    return folded(ends + len) == stored || folded(ends) == stored ? WIRE_CHECKSUM_UNKNOWN : WIRE_CHECKSUM_WRONG;
}

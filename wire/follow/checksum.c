/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP's checksum (RFC 9293, section 3.1; of IPv6, RFC 8200, section 8.1) in captures (wire/follow/checksum.h).
 */
#include "wire/follow/checksum.h"

#include <string.h>

enum {
    TCP_PROTOCOL = 6,
    CHECKSUM = 16,     /* where it stands in a header */
    SINGLE_MOST = 1460 /* octets of data: what is longer may be several segments */
};

/* Words of 32 bits leave the same behind as those of 16 when the carries are folded, and all sums are as memory has
 * them: which octet of a word comes first does not matter as long as nobody asks. Zeros follow the last octet. */
static uint64_t add(uint64_t sum, const unsigned char *octets, size_t len)
{
    uint32_t word = 0;

    for (; len >= sizeof word; octets += sizeof word, len -= sizeof word) {
        memcpy(&word, octets, sizeof word);
        sum += word;
    }
    word = 0;
    memcpy(&word, octets, len);
    return sum + word;
}

static uint16_t folded(uint64_t sum)
{
    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint16_t)sum;
}

enum wire_checksum wire_checksum_of(const struct wire_segment *segment, const unsigned char *tcp, size_t header)
{
    size_t address = segment->from.family == 4 ? 4 : 16, len = header + segment->len;
    const unsigned char protocol[] = {0, TCP_PROTOCOL}, length[] = {(unsigned char)(len >> 8), (unsigned char)len};
    uint64_t ends = add(add(0, segment->from.address, address), segment->to.address, address);
    uint64_t pseudo, before;
    uint16_t stored;

    if (segment->missing || segment->len > SINGLE_MOST) {
        return WIRE_CHECKSUM_UNKNOWN;
    }
    before = add(ends, protocol, sizeof protocol);
    pseudo = add(before, length, sizeof length);
    if (folded(add(pseudo, tcp, len)) == 0xffff) { /* of some segments that is 0 */
        return WIRE_CHECKSUM_RIGHT;
    }
    memcpy(&stored, tcp + CHECKSUM, sizeof stored);
    if (stored == 0) {
        return WIRE_CHECKSUM_ABSENT;
    }
    /* a sender leaves this much to its card, with the length or without it */
    return folded(pseudo) == stored || folded(before) == stored ? WIRE_CHECKSUM_UNKNOWN : WIRE_CHECKSUM_WRONG;
}

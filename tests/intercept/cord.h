/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One end of a link whose other end is the test: what it sends is kept, what it delivers is counted.
 */
#ifndef TESTS_INTERCEPT_CORD_H
#define TESTS_INTERCEPT_CORD_H

#include "ref-impl/intercept/link.h"

enum { CORD_FRAMES = 64 };

struct cord_frame {
    size_t len;
    unsigned char octets[WIRE_INTERCEPT_FRAME_MAX];
};

struct cord {
    struct intercept_link link;
    bool is_full; /* deliver refuses */
    unsigned delivered, rooms, deaths;
    uint16_t last;  /* number of the packet that was delivered last */
    unsigned count; /* of frames that it has sent */
    struct cord_frame frames[CORD_FRAMES];
};

/* cord_begin - a link of plane 2 with a timer of 20 microseconds. */
void cord_begin(struct cord *cord);

/* cord_packet - makes a short message of 16 octets with that sequence, told from others by its number; its octets.
 * cord_send - the link sends such a packet. False: it has no room. */
size_t cord_packet(unsigned char *octets, uint8_t sequence, uint16_t number);
bool cord_send(struct cord *cord, uint16_t number, uint64_t now_ns);

/* cord_hear - gives the link such a packet, as if it had come over the cable.
 * cord_answer - an answer. */
void cord_hear(struct cord *cord, uint8_t sequence, uint16_t number);
void cord_answer(struct cord *cord, enum wire_intercept_kind kind, uint8_t sequence, uint64_t now_ns);

/* cord_is - whether frame i that the link has sent is of that kind and sequence. */
bool cord_is(const struct cord *cord, unsigned i, unsigned kind, uint8_t sequence);

#endif

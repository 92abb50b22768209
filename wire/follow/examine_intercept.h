/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The Intercept network in a capture (specs/intercept-wire.md, 7): datagrams that are frames, and those on links where
 * frames have been seen. For examine.c.
 */
#ifndef WIRE_FOLLOW_EXAMINE_INTERCEPT_H
#define WIRE_FOLLOW_EXAMINE_INTERCEPT_H

#include "wire/follow/examination.h"
#include "wire/follow/segment.h"
#include "wire/intercept/check.h"

struct wire_examine_intercept;

/* wire_examine_intercept_open - begins; the key is random. The memory for what it knows is taken when the first frame
 * is seen. wire_examine_intercept_close frees all.
 * wire_examine_intercept_datagram - the next datagram; tells the listener what it breaks. False: it is none of the
 * network's. `heard` may be NULL. */
struct wire_examine_intercept *wire_examine_intercept_open(struct wire_examine *examine, const uint64_t key[2]);
bool wire_examine_intercept_datagram(struct wire_examine_intercept *intercept, const struct wire_segment *datagram,
                                     const struct wire_packet *packet, struct wire_intercept_heard *heard);
void wire_examine_intercept_close(struct wire_examine_intercept *intercept);

/* wire_examine_intercept_lacks - whether the capture, as far as is known now, lacks frames of the network;
 * wire_examine_intercept_explains - whether such could explain a violation. */
bool wire_examine_intercept_lacks(const struct wire_examine_intercept *intercept);
bool wire_examine_intercept_explains(struct wire_examine_intercept *intercept, enum wire_intercept_violation violation,
                                     const struct wire_intercept_basis *basis);

#endif

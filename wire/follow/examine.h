/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A whole capture under the checkers: finds the Portals streams among its TCP connections by their HELLO, the IMPI jobs
 * by their AUTH and the ports that they announce, and tells what breaks a rule. `assay check` and the dissector both
 * judge by it, so that they say the same.
 *
 * What a capture lacks can make an innocent look guilty. So a verdict is *withheld* where a gap that is known could
 * explain it, and since a gap may come to light later than what it explains, whoever shows findings asks again when he
 * shows them (wire_examine_withheld).
 */
#ifndef WIRE_FOLLOW_EXAMINE_H
#define WIRE_FOLLOW_EXAMINE_H

#include "wire/follow/examination.h"
#include "wire/follow/reassembly.h"
#include "wire/intercept/check.h"

enum { WIRE_EXAMINE_KEYS = WIRE_REASSEMBLY_KEYS + 4 };

/* wire_examine_open - begins; listener and memory stand in `examine` already, the rest is zero. It remembers at most
 * `room` requests, and finds them again by keys, which should be random, so that no capture can make that slow.
 * wire_examine_segment takes the next segment; wire_examine_finish settles the counts; wire_examine_close frees all.
 * wire_examine_datagram - the next UDP datagram, in a struct of which it uses ends and data. False, and nothing in
 * `heard`, which may be NULL: it is no frame of the Intercept network. */
void wire_examine_open(struct wire_examine *examine, uint32_t room, const uint64_t keys[WIRE_EXAMINE_KEYS]);
void wire_examine_segment(struct wire_examine *examine, const struct wire_segment *segment,
                          const struct wire_packet *packet);
bool wire_examine_datagram(struct wire_examine *examine, const struct wire_segment *datagram,
                           const struct wire_packet *packet, struct wire_intercept_heard *heard);
void wire_examine_finish(struct wire_examine *examine);
void wire_examine_close(struct wire_examine *examine);

/* wire_examine_withheld - whether what the capture lacks, as far as is known now, could explain the violation. */
bool wire_examine_withheld(const struct wire_examine *examine, const struct wire_examine_violation *violation);

/* wire_examine_intercept_withheld - the same of what a frame of the Intercept network breaks.
 * wire_examine_intercept_holds_back - whether the capture lacks any such frame. */
bool wire_examine_intercept_withheld(const struct wire_examine *examine, enum wire_intercept_violation violation,
                                     const struct wire_intercept_basis *basis);
bool wire_examine_intercept_holds_back(const struct wire_examine *examine);

/* wire_examine_job - the IMPI job of that place, from 0, and where its server is; NULL: there are not so many. Good
 * until wire_examine_close.
 * wire_examine_collectives - what is known of its collective operations; of those on other communicators, what only the
 * end of the job shows. */
const struct wire_impi_job *wire_examine_job(const struct wire_examine *examine, size_t place, struct wire_end *server);
const struct wire_impi_collectives *wire_examine_collectives(const struct wire_examine *examine, size_t place);

/* wire_examine_ignored - how many segments belonged to connections beyond the limit.
 * wire_examine_forgotten - how many requests were given up for lack of room. */
uint64_t wire_examine_ignored(const struct wire_examine *examine);
uint64_t wire_examine_forgotten(const struct wire_examine *examine);

#endif

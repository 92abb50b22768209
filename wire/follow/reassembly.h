/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * TCP connections out of the segments of a capture: octets in their order, each once, however often and in whatever
 * order the segments were captured, also when the same connection was captured at both of its ends. Where several
 * connections have the same ends, a segment belongs to the one to whose sequence numbers it is near. Octets that the
 * capture lacks are a gap, behind which the direction goes on:
 *
 *     what follows them comes first --> doubted --they come after all-------------------------> whole
 *     the other side acknowledges them -^  `------both, or more than can wait, or no packets--> gap
 *     a snapshot length cuts them off ---------------------------------------------------------^
 */
#ifndef WIRE_FOLLOW_REASSEMBLY_H
#define WIRE_FOLLOW_REASSEMBLY_H

#include "wire/follow/connection.h"

enum {
    WIRE_REASSEMBLY_BUCKETS = 4096,
    WIRE_REASSEMBLY_KEYS = 10,
};

/* The connections of a capture. */
struct wire_reassembly;

/* wire_reassembly_open - begins; listener and memory must outlive it. The keys, which should be random, keep whoever
 * makes a capture from choosing connections that share a bucket. wire_reassembly_close frees all, `gone` being called
 * for each. */
struct wire_reassembly *wire_reassembly_open(const struct wire_reassembly_listener *listener,
                                             const struct wire_memory *memory,
                                             const uint64_t keys[WIRE_REASSEMBLY_KEYS]);
void wire_reassembly_close(struct wire_reassembly *reassembly);

/* wire_reassembly_take - takes the next segment. */
void wire_reassembly_take(struct wire_reassembly *reassembly, const struct wire_segment *segment,
                          const struct wire_packet *packet);

/* wire_reassembly_finish - there are no more segments: what has not come will not. */
void wire_reassembly_finish(struct wire_reassembly *reassembly);

/* wire_reassembly_ignored - how many segments belonged to connections beyond the limit. */
uint64_t wire_reassembly_ignored(const struct wire_reassembly *reassembly);

#endif

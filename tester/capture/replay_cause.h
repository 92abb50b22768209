/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Which Portals call caused a frame of the Intercept network. A message begins with an RTS or a TRY_MATCH, whose
 * Portals header tells the call; what follows belongs to it by message number, key or channel; what a link says belongs
 * to the packet that it answers.
 */
#ifndef TESTER_CAPTURE_REPLAY_CAUSE_H
#define TESTER_CAPTURE_REPLAY_CAUSE_H

#include "wire/intercept/check.h"

#include <jansson.h>

enum { REPLAY_CAUSES_MAX = 1024, REPLAY_CAUSE_NONE = -1, REPLAY_SEQUENCES = 256, REPLAY_GETS = 64 };

/* struct replay_cause is a message, or the beginning of a card (`call` is then "PtlInit"). */
struct replay_cause {
    const char *call; /* lives for ever */
    uint16_t caller, other;
    uint16_t sender, receiver; /* of the message */
    uint64_t number, key, octets;
    bool is_long, begins;
};

struct replay_causes {
    struct replay_cause all[REPLAY_CAUSES_MAX];
    int count;
    struct {
        uint16_t receiver, channel;
        int cause;
    } gets[REPLAY_GETS]; /* the last ones: whose slices fill which channel */
    unsigned get_count;
};

/* struct replay_side is what went over one direction of a cable: which step had each sequence, plus one. */
struct replay_side {
    int steps[REPLAY_SEQUENCES];
};

/* replay_cause_of - the cause of a packet, which may begin it; REPLAY_CAUSE_NONE: none is known (yet).
 * replay_cause_adopts - whether a packet between those two nodes that had no cause is that one's: the connection that a
 * long message needs first. */
int replay_cause_of(struct replay_causes *causes, const struct wire_intercept_heard *heard);
bool replay_cause_adopts(const struct replay_cause *cause, const struct wire_intercept_frame *frame);

#endif

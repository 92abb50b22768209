/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One stream of the Portals binding as octets come from it: cuts both directions into messages (wire/portals/stream.h)
 * and has each judged by the checker of conversations (wire/portals/check.h). Serves the passive checker of a case,
 * `assay check` and the dissector.
 */
#ifndef WIRE_FOLLOW_FOLLOW_H
#define WIRE_FOLLOW_FOLLOW_H

#include "wire/portals/check.h"
#include "wire/portals/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct wire_follow is one stream. report is called for everything that breaks a rule: header is the message, or NULL
 * for octets that are none; the findings stand in check->findings[0..count-1]. message is called for each whole header
 * before it is judged, with its octets. Both may be NULL. */
struct wire_follow {
    struct wire_portals_check *check;
    struct wire_portals_check_stream stream;
    struct wire_stream ways[2]; /* by enum wire_portals_side */
    bool searching[2];          /* behind a gap: a message is looked for at the beginning of what comes */
    void (*message)(void *context, enum wire_portals_side side, const unsigned char *octets, size_t len);
    void (*report)(void *context, struct wire_follow *follow, enum wire_portals_side side,
                   const struct wire_portals_header *header, unsigned count);
    /* these marks' messages, one of which is at hand, are a request and its answer; or NULL */
    void (*answered)(void *context, uint64_t request, uint64_t answer);
    void *context;
};

/* wire_follow_begin begins with a stream that was just connected; acceptor as in wire_portals_check_open. */
void wire_follow_begin(struct wire_follow *follow, struct wire_portals_check *check,
                       const struct wire_portals_id *acceptor, uint64_t when_us);

/* wire_follow_octets takes more octets that `side` sent. mark is the caller's number for where they came. */
void wire_follow_octets(struct wire_follow *follow, enum wire_portals_side side, const unsigned char *octets,
                        size_t len, uint64_t when_us, uint64_t mark);

/* wire_follow_foreign: `side` began with something else than a HELLO, which was not kept. */
void wire_follow_foreign(struct wire_follow *follow, enum wire_portals_side side);

/* wire_follow_gap: so many octets of `side` were not seen; false where they lie within the payload of one message, so
 * that no message is missing. */
bool wire_follow_gap(struct wire_follow *follow, enum wire_portals_side side, uint32_t octets);

/* wire_follow_end: `side` has finished, or reset the stream. */
void wire_follow_end(struct wire_follow *follow, enum wire_portals_side side, bool reset);

/* wire_follow_finding_text says in one sentence what is wrong: rule, requirement, what was expected and observed.
 * `related` is the word for the other message's mark ("see packet"); NULL leaves it out. */
void wire_follow_finding_text(const struct wire_portals_finding *finding, const char *related, char *text, size_t room);

#endif

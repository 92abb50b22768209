/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One stream of the Portals binding as octets come from it: cuts both directions into messages (wire/portals/stream.h)
 * and has each judged by the checker of conversations (wire/portals/check.h). Serves the passive checker of a case and
 * `assay check`.
 */
#ifndef TESTER_CAPTURE_FOLLOW_H
#define TESTER_CAPTURE_FOLLOW_H

#include "wire/portals/check.h"
#include "wire/portals/stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* struct follow is one stream. report is called for everything that breaks a rule: header is the message, or NULL for
 * octets that are none; the findings stand in check->findings[0..count-1]. */
struct follow {
    struct wire_portals_check *check;
    struct wire_portals_check_stream stream;
    struct wire_stream ways[2]; /* by enum wire_portals_side */
    void (*report)(void *context, struct follow *follow, enum wire_portals_side side,
                   const struct wire_portals_header *header, unsigned count);
    void *context;
};

/* follow_begin begins with a stream that was just connected; acceptor as in wire_portals_check_open. */
void follow_begin(struct follow *follow, struct wire_portals_check *check, const struct wire_portals_id *acceptor,
                  uint64_t when_us);

/* follow_octets takes more octets that `side` sent. mark is the caller's number for where they came. */
void follow_octets(struct follow *follow, enum wire_portals_side side, const unsigned char *octets, size_t len,
                   uint64_t when_us, uint64_t mark);

/* follow_foreign: `side` began with something else than a HELLO, which was not kept. */
void follow_foreign(struct follow *follow, enum wire_portals_side side);

/* follow_end: `side` has finished, or reset the stream. */
void follow_end(struct follow *follow, enum wire_portals_side side, bool reset);

/* follow_finding_text says in one sentence what is wrong: rule, requirement, what was expected and observed. `related`
 * is the word for the other message's mark ("see packet"); NULL leaves it out. */
void follow_finding_text(const struct wire_portals_finding *finding, const char *related, char *text, size_t room);

#endif

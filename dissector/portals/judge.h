/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Messages in their conversation: has the checker of wire/portals/check.h follow all streams of the capture on the
 * first pass, and shows what it found. Streams whose HELLO the capture lacks are not followed.
 */
#ifndef DISSECTOR_PORTALS_JUDGE_H
#define DISSECTOR_PORTALS_JUDGE_H

#include "dissector/portals/pdu.h"

#include "wire/octets/status.h"
#include "wire/portals/check.h"
#include "wire/portals/rules.h"

/* judge_message - first pass: has a whole message judged and keeps what was found in its note.
 * judge_broken - the same for octets that are no message; `status` is what decoding said. */
void judge_message(struct pdu *pdu);
void judge_broken(struct pdu *pdu, enum wire_status status);

/* judge_end - first pass: has the end of the message's direction judged. */
void judge_end(struct pdu *pdu, enum wire_portals_ending ending);

/* judge_header - the rule about single headers that the message breaks: by the checker where it has heard the message,
 * else by what this pass knows.
 * judge_header_broken - the same for octets that are no message; `status` is what decoding said. */
enum wire_portals_header_violation judge_header(const struct pdu *pdu);
enum wire_portals_header_violation judge_header_broken(const struct pdu *pdu, enum wire_status status);

/* judge_found - whether the checker found something about the message that is still to be told. */
bool judge_found(const struct pdu *pdu);

/* judge_show - every pass: adds what was found to the message's tree. */
void judge_show(const struct pdu *pdu);

#endif

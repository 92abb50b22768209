/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Messages in their conversation: has the checker of wire/portals/check.h follow all streams of the capture on the
 * first pass, and shows what it found. Streams whose HELLO the capture lacks are not followed.
 */
#ifndef DISSECTOR_TALK_H
#define DISSECTOR_TALK_H

#include "dissector/pdu.h"

#include "wire/octets/status.h"
#include "wire/portals/check.h"
#include "wire/portals/rules.h"

/* talk_register - sets up the checker, which begins anew with every capture file. Once, at start-up. */
void talk_register(void);

/* talk_note - first pass: has a whole message judged and keeps what was found in its note. talk_note_broken: the same
 * for octets that are no message; `status` is what decoding said. */
void talk_note(struct pdu *pdu);
void talk_note_broken(struct pdu *pdu, enum wire_status status);

/* talk_note_end - first pass: has the end of the message's direction judged. */
void talk_note_end(struct pdu *pdu, enum wire_portals_ending ending);

/* talk_missing - first pass: the capture lacks something. What only a whole view can tell is then not told. */
void talk_missing(void);

/* talk_violation - the rule about single headers that the message breaks: by the checker where it has heard the
 * message, else by what this pass knows. talk_violation_broken: the same for octets that are no message. */
enum wire_portals_header_violation talk_violation(const struct pdu *pdu);
enum wire_portals_header_violation talk_violation_broken(const struct pdu *pdu, enum wire_status status);

/* talk_found - whether the checker found something about the message that is still to be told. */
bool talk_found(const struct pdu *pdu);

/* talk_show - every pass: adds what was found to the message's tree. */
void talk_show(const struct pdu *pdu);

#endif

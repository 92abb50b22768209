/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Which acknowledgement or reply answers which put or get. The two may travel on different TCP connections, so requests
 * are remembered for the whole capture by what an answer must repeat (tables 7 and 9 of the specification).
 */
#ifndef DISSECTOR_PORTALS_TRACK_H
#define DISSECTOR_PORTALS_TRACK_H

#include "dissector/portals/pdu.h"

/* track_register - sets up the memory of requests, emptied with every capture file. Once, at start-up. */
void track_register(void);

/* track_note - first pass: remembers a request, or finds the request that is answered; fills in the message's note. */
void track_note(struct pdu *pdu);

/* track_show - every pass: adds the links between request and answer and the time between them. */
void track_show(const struct pdu *pdu);

/* track_asked - when the request was sent, or NULL when the message is no answer whose request the capture holds. */
const nstime_t *track_asked(const struct pdu *pdu);

#endif

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Barriers: which messages make one, how far it has come, and whether each message goes to the rank that is due. In
 * round r rank i of n sends to rank (i + 2^r) mod n, and there are as many rounds as n needs doublings from 1
 * (specs/portals-wire.md).
 */
#ifndef DISSECTOR_PORTALS_BARRIER_H
#define DISSECTOR_PORTALS_BARRIER_H

#include "dissector/portals/pdu.h"

/* barrier_register - sets up the memory of barriers, emptied with every capture file. Once, at start-up. */
void barrier_register(void);

/* barrier_note - first pass: counts a barrier message to its barrier. Does nothing for other messages. */
void barrier_note(struct pdu *pdu);

/* barrier_show - every pass: shows the message's place in its barrier and what is wrong with its round or target. */
void barrier_show(const struct pdu *pdu);

#endif

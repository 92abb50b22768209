/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Numbered messages (specs/portals-wire.md, 4.7): which of them have been sent before. A message that is sent again, on
 * the same stream or on a later one, is no second request and no second answer.
 */
#ifndef DISSECTOR_PORTALS_NUMBER_H
#define DISSECTOR_PORTALS_NUMBER_H

#include "dissector/portals/pdu.h"

/* number_register - sets up the memory of numbers, emptied with every capture file. Once, at start-up. */
void number_register(void);

/* number_note - first pass: remembers the number that stands before a message, and marks the message behind it when
 * that number has been seen before. */
void number_note(struct pdu *pdu);

#endif

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What match bits say, where the user names the library that has set them (wire/portals/match_bits.h).
 */
#ifndef DISSECTOR_PORTALS_MATCH_BITS_H
#define DISSECTOR_PORTALS_MATCH_BITS_H

#include "dissector/portals/pdu.h"

#include "wire/octets/text.h"

#include <epan/prefs.h>

/* match_bits_register - fields, subtree and preference for the protocol `proto`. Once, at start-up. */
void match_bits_register(int proto, module_t *module);

/* match_bits_show - adds below the item of the message's match bits what they say, if anything.
 * match_bits_add - appends the same in a line, with a comma in front, if there is anything. */
void match_bits_show(const struct pdu *pdu, proto_item *item, const struct wire_row *row);
void match_bits_add(struct wire_text *text, const struct pdu *pdu);

#endif

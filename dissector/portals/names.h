/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What processes are called. People think in ranks; the wire gives all four ids, but a sender outside the group need
 * not know its peer's group and rank. What any process says of itself is remembered by its address, and supplies them.
 */
#ifndef DISSECTOR_PORTALS_NAMES_H
#define DISSECTOR_PORTALS_NAMES_H

#include "dissector/common/wireshark_compat.h"

#include "wire/octets/text.h"
#include "wire/portals/messages.h"

#include <epan/packet.h>

/* names_register - sets up the memory of names, emptied with every capture file. Once, at start-up. */
void names_register(void);

/* names_learn - remembers group and rank that a process gives for itself. */
void names_learn(const struct wire_portals_id *id);

/* names_long - "rank 1 of group 7 (127.0.0.1:9001)", or the address alone when the rank is not known. The text lives as
 * long as the packet. */
const char *names_long(packet_info *pinfo, const struct wire_portals_id *id);

/* names_rank - "1", or the address where the rank is not known. */
const char *names_rank(packet_info *pinfo, const struct wire_portals_id *id);

/* names_add_pair - appends "rank 0 -> rank 1", with the groups when they differ, and addresses where ranks are unknown.
 * names_pair - the same by itself; it lives as long as the packet. */
void names_add_pair(struct wire_text *text, const struct wire_portals_id *from, const struct wire_portals_id *to);
const char *names_pair(packet_info *pinfo, const struct wire_portals_id *from, const struct wire_portals_id *to);

#endif

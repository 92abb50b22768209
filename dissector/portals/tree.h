/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * How a message looks in Wireshark: one line in the packet list, a tree of its fields.
 */
#ifndef DISSECTOR_PORTALS_TREE_H
#define DISSECTOR_PORTALS_TREE_H

#include "dissector/portals/pdu.h"

/* tree_rows - adds the fields of `message` in the order of its rows, as far as the octets reach; the four ids of a
 * process make a subtree. Needs no decoded header. */
void tree_rows(const struct pdu *pdu, const struct wire_message *message);

/* tree_verb - the message's name in capitals: "PUT". The text lives as long as the packet. */
const char *tree_verb(packet_info *pinfo, const struct wire_message *message);

/* tree_summary - "PUT portal 4 bits 0x2a 64 octets  rank 0 -> rank 1", for the information column and the head of the
 * message's tree. The text lives as long as the packet. */
const char *tree_summary(const struct pdu *pdu);

/* tree_title - writes a text into the message's head and appends it to the information column. */
void tree_title(const struct pdu *pdu, const char *text);

#endif

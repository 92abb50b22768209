/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The protocol "portals": Portals 3.0 over TCP as specs/portals-wire.md lays it down.
 */
#ifndef DISSECTOR_PORTALS_PACKET_H
#define DISSECTOR_PORTALS_PACKET_H

/* portals_register_protocol - registers protocol, fields, expert information, preferences and statistics. */
void portals_register_protocol(void);

/* portals_register_handoff - tells TCP about the dissector: the heuristic, Decode As and the port preference. */
void portals_register_handoff(void);

#endif

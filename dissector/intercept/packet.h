/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The Intercept network in Wireshark, for plugin.c.
 */
#ifndef DISSECTOR_INTERCEPT_PACKET_H
#define DISSECTOR_INTERCEPT_PACKET_H

/* intercept_register_protocol - fields, preferences and dissector. Once, at start-up.
 * intercept_register_handoff - how datagrams find it. */
void intercept_register_protocol(void);
void intercept_register_handoff(void);

#endif

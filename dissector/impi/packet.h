/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * IMPI: the start-up of a job between clients and server, and the packets between hosts.
 */
#ifndef DISSECTOR_IMPI_PACKET_H
#define DISSECTOR_IMPI_PACKET_H

/* impi_register_protocol - registers protocol, fields, expert information and preferences. Wireshark calls it once. */
void impi_register_protocol(void);

/* impi_register_handoff - says to Wireshark where the protocol is found. */
void impi_register_handoff(void);

#endif

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * How a connection of IMPI ends. Wireshark shows a dissector only octets, and a FIN or a reset has none; so this looks
 * at every TCP packet after it was dissected, and has the checkers judge the end.
 */
#ifndef DISSECTOR_IMPI_CLOSE_H
#define DISSECTOR_IMPI_CLOSE_H

/* impi_close_register - has the packets of connections that belong to the protocol `proto` looked at. Once, at
 * start-up, after the protocol. */
void impi_close_register(int proto);

#endif

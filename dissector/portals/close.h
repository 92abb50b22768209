/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * How a stream of Portals ends, told in the packet with the FIN or the reset: whether it ends inside a message, and
 * that its processes may use another one from then on (specs/portals-wire.md, chapter 4).
 */
#ifndef DISSECTOR_PORTALS_CLOSE_H
#define DISSECTOR_PORTALS_CLOSE_H

/* portals_close_register - has the packets of connections that belong to the protocol `proto` looked at. Once, at
 * start-up, after the protocol. */
void portals_close_register(int proto);

#endif

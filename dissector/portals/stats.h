/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What Wireshark's menus tell of Portals: operations, lengths, response times, who talks to whom, data as files.
 */
#ifndef DISSECTOR_PORTALS_STATS_H
#define DISSECTOR_PORTALS_STATS_H

#include "dissector/portals/pdu.h"

/* stats_register - registers the tap "portals" and all tables for the protocol. Once, at start-up. */
void stats_register(int proto);

/* stats_count - hands one whole message to whoever listens. */
void stats_count(const struct pdu *pdu);

/* stats_export - offers the payload of a message, all of which `data` holds, as a file. */
void stats_export(const struct pdu *pdu, tvbuff_t *data);

#endif

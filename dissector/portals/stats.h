/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Statistics / Portals: operations, lengths, response times, who talks to whom (tshark -z portals,tree).
 */
#ifndef DISSECTOR_PORTALS_STATS_H
#define DISSECTOR_PORTALS_STATS_H

#include "dissector/portals/pdu.h"

/* stats_register - registers the tap "portals" and its statistics tree. Once, at start-up. */
void stats_register(int proto);

/* stats_count - hands one whole message to whoever listens. */
void stats_count(const struct pdu *pdu);

#endif

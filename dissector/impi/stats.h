/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * What Wireshark's menus tell of IMPI: how many messages of which kind and between whom, how long, how fast answered.
 */
#ifndef DISSECTOR_IMPI_STATS_H
#define DISSECTOR_IMPI_STATS_H

#include "dissector/impi/pdu.h"

/* impi_stats_register - registers all tables for the protocol. Once, at start-up. */
void impi_stats_register(int proto);

/* impi_stats_count - tells the statistics about a message, when anybody listens. */
void impi_stats_count(const struct impi_pdu *pdu);

/* impi_stats_export - offers the data of a message, all of which `data` holds, as a file. */
void impi_stats_export(const struct impi_pdu *pdu, tvbuff_t *data);

#endif

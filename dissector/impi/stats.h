/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * "Statistics / IMPI": how many messages of which kind and between whom, how long, how fast answered.
 */
#ifndef DISSECTOR_IMPI_STATS_H
#define DISSECTOR_IMPI_STATS_H

#include "dissector/impi/pdu.h"

/* impi_stats_register - registers the statistics tree. Once, at start-up. */
void impi_stats_register(void);

/* impi_stats_count - tells the statistics about a message, when anybody listens. */
void impi_stats_count(const struct impi_pdu *pdu);

#endif

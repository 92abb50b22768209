/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * The values that a COLL carries: those of one client, or those of all clients one behind the other, which only the
 * counts of hosts and processes that were told before keep apart.
 */
#ifndef DISSECTOR_IMPI_VALUES_H
#define DISSECTOR_IMPI_VALUES_H

#include "dissector/impi/pdu.h"

/* impi_values_learn - first pass: remembers the counts in a COLL of the server's. */
void impi_values_learn(const struct impi_pdu *pdu);

/* impi_values_show - adds the values of a COLL to the message's tree, element by element. */
void impi_values_show(const struct impi_pdu *pdu);

/* impi_values_summary - the first values as text, by client where there are several: "1; 2; 1". The text lives as long
 * as the packet. */
const char *impi_values_summary(const struct impi_pdu *pdu);

#endif

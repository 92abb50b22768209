/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations of MPI as they look between hosts: messages on a context of their own, with a tag that says
 * which operation it is (IMPI 0.0, 4.3 and 4.25).
 */
#ifndef DISSECTOR_IMPI_COLLECTIVE_H
#define DISSECTOR_IMPI_COLLECTIVE_H

#include "wire/impi/packet.h"

/* impi_collective_name - the operation to whose messages this one belongs, "BARRIER", as the document names its tag; or
 * NULL for a message of MPI_Send and the like, and for packets without data. */
const char *impi_collective_name(const struct wire_impi_packet *packet);

#endif

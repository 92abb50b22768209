/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on communicators other than MPI_COMM_WORLD (a part of wire/impi/check_collective.h; nobody else
 * includes this). Who belongs to such a communicator no message says, so that nothing is judged on it; but between two
 * of its processes each Barrier has one message either way, and each Scan one in all, by which they are counted.
 */
#ifndef WIRE_IMPI_CHECK_COMMUNICATOR_H
#define WIRE_IMPI_CHECK_COMMUNICATOR_H

#include "wire/impi/check_operation.h"
#include "wire/impi/packet.h"

/* wire_impi_communicator_message - completes all->step of a message on a collective context. Its number is 0 where the
 * edge does not tell it, or where there are more edges than are kept. */
void wire_impi_communicator_message(struct wire_impi_collectives *all, const struct wire_impi_packet *packet,
                                    const struct wire_impi_edge *edge);

#endif

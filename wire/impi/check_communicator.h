/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on communicators other than MPI_COMM_WORLD (a part of wire/impi/check_collective.h; nobody else
 * includes this). Who belongs to such a communicator no message says; but each message tells the sender's rank in it,
 * and the two that it goes between belong to the same one. So messages are kept until the job ends, when all members
 * that ever had a message are known, and judged then. At once is judged what two processes alone show: between them the
 * messages of a Barrier alternate.
 */
#ifndef WIRE_IMPI_CHECK_COMMUNICATOR_H
#define WIRE_IMPI_CHECK_COMMUNICATOR_H

#include "wire/impi/check_channel_state.h"
#include "wire/impi/check_group.h"
#include "wire/impi/packet.h"

/* All of them are told of the job's collective operations by channel->collectives, which is not NULL.
 * wire_impi_communicator_message - judges a message on a collective context, or one that is misplaced, and completes
 * all->step. Its number is 0 where the edge does not tell it, or where there are more edges than are kept.
 * wire_impi_communicator_fini - a host ends the channel.
 * wire_impi_communicator_rest - the job ends, and nothing was missed: all communicators are judged. */
void wire_impi_communicator_message(struct wire_impi_channel *channel, const struct wire_impi_packet *packet,
                                    const struct wire_impi_edge *edge);
void wire_impi_communicator_fini(struct wire_impi_channel *channel, enum wire_impi_side side);
void wire_impi_communicator_rest(struct wire_impi_channel *channel);

#endif

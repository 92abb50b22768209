/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Collective operations on one communicator whose members are known (a part of wire/impi/check_collective.h). Nobody
 * else includes this.
 *
 * Where the members are inferred from messages, all that does not fit is a note, told at the end of the job, which
 * leads to the message that it is about.
 */
#ifndef WIRE_IMPI_CHECK_GROUP_H
#define WIRE_IMPI_CHECK_GROUP_H

#include "wire/impi/check_channel_state.h"
#include "wire/impi/check_collective_state.h"

/* A message between clients. */
struct wire_impi_edge {
    int64_t src, dest; /* world ranks */
    int64_t places[2]; /* ranks of both in the communicator; below 0: not known */
    uint32_t from, to; /* masters of their clients */
    uint64_t mark;
};

/* wire_impi_group_client - the client of a process of the world.
 * wire_impi_group_has_master - whether the process is the master of its client. */
uint32_t wire_impi_group_client(const struct wire_impi_job *job, int64_t rank);
bool wire_impi_group_has_master(const struct wire_impi_group *group, int64_t rank);

/* wire_impi_group_ready - all members are there; which forms its Barrier may have follows from their number.
 * wire_impi_group_message - judges a message, of which channel->collectives->step has the octets, and completes that.
 * wire_impi_group_rest - what nobody can send any more. */
void wire_impi_group_ready(struct wire_impi_group *group);
void wire_impi_group_message(struct wire_impi_channel *channel, struct wire_impi_group *group, int32_t tag,
                             const struct wire_impi_edge *edge);
void wire_impi_group_rest(struct wire_impi_channel *channel, struct wire_impi_group *group);

#endif

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The collective operations of a job as they travel over the channels between its hosts (chapter 4 of the IMPI 0.0
 * document; a part of the checker of channels): which operation a message belongs to, who takes part in which place,
 * and what does not fit the pattern that the document prescribes. Masters, limits and processes come from start-up. On
 * communicators other than MPI_COMM_WORLD operations are told as they come; their members become known by their
 * messages, so that most is judged when the job ends.
 *
 * A Barrier is judged: the document has it. Of Bcast, Reduce and Scan only reconstructions are there, so that these are
 * notes; so is what rests on the order of packets of several channels, which is that of the capture, and what rests on
 * members that are inferred. Of Gather, Scatter and Alltoall no pattern is known: a note tells who had no part in them.
 */
#ifndef WIRE_IMPI_CHECK_COLLECTIVE_H
#define WIRE_IMPI_CHECK_COLLECTIVE_H

#include "wire/impi/check_channel_state.h"
#include "wire/impi/check_collective_state.h"

/* wire_impi_collectives_begin - a job of which no message has been seen. */
void wire_impi_collectives_begin(struct wire_impi_collectives *all, const struct wire_impi_job *job);

/* wire_impi_collective_name - what the tag stands for on a context of collective operations ("Bcast"), or NULL. */
const char *wire_impi_collective_name(int32_t tag);

/* wire_impi_collectives_settle - a message on another communicator, once its job has ended: which operation it was of,
 * and its root, where its members are proven. */
void wire_impi_collectives_settle(const struct wire_impi_collectives *all, struct wire_impi_step *step);

/* All of the following report to channel->findings and channel->notes, and do nothing where channel->collectives is
 * NULL.
 * wire_impi_collectives_link - both hosts of the channel are known.
 * wire_impi_collectives_message - the first packet of a message; `misplaced`: it is of a collective operation although
 * its context is not.
 * wire_impi_collectives_fini - a FINI of this side.
 * wire_impi_collectives_missed - the channel is not followed any more. */
void wire_impi_collectives_link(struct wire_impi_channel *channel);
void wire_impi_collectives_message(struct wire_impi_channel *channel, const struct wire_impi_packet *packet,
                                   bool misplaced, uint64_t mark);
void wire_impi_collectives_fini(struct wire_impi_channel *channel, enum wire_impi_side side);
void wire_impi_collectives_missed(struct wire_impi_channel *channel);

#endif

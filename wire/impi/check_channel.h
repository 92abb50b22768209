/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The checker of a channel between two IMPI hosts (wire/impi/check.h): follows the packets of both directions and names
 * the rule that a packet breaks when seen together with what came before it: flow control of each pair of processes,
 * which acknowledgement answers what, long messages, cancelling, the end. Judges chapter 3 of the IMPI 0.0 document.
 *
 *     wire_impi_channel_begin(&channel, &tables, &limits);
 *     channel.job = &job;                      // when start-up was seen
 *     count = wire_impi_channel_rank(&channel, rank);
 *     count = wire_impi_channel_packet(&channel, WIRE_IMPI_CONNECTOR, &packet, number);
 *     for (unsigned i = 0; i < count; i++) ... channel.findings.at[i] ...
 *
 * Feed packets in the order in which they were seen, each when it is whole. What is not known (limits that are 0, a job
 * that is NULL) is not judged. When storage is full, messages that are settled are forgotten first, then the oldest;
 * what can no longer be judged is counted, not guessed.
 */
#ifndef WIRE_IMPI_CHECK_CHANNEL_H
#define WIRE_IMPI_CHECK_CHANNEL_H

#include "wire/impi/check_channel_state.h"

/* wire_impi_channel_begin - a channel of which nothing has been seen. Clears the tables. */
void wire_impi_channel_begin(struct wire_impi_channel *channel, const struct wire_impi_channel_tables *tables,
                             const struct wire_impi_limits *limits);

/* wire_impi_channel_rank - judges the rank that the connector has sent. With a wrong one it is no channel: nothing more
 * is judged. */
unsigned wire_impi_channel_rank(struct wire_impi_channel *channel, uint32_t rank);

/* wire_impi_channel_data - takes octets of the data of a packet that `side` sends, in their order, all before the
 * packet itself is judged. Only the first WIRE_IMPI_FIRST_OCTETS are looked at; without any, nothing is said of data.
 */
void wire_impi_channel_data(struct wire_impi_channel *channel, enum wire_impi_side side, const unsigned char *octets,
                            size_t len);

/* wire_impi_channel_packet - judges a packet that `side` sent. `mark` is the caller's number for it, not 0, never
 * falling. Returns the number of violations in channel->findings, all about the sender; notes are in channel->notes. */
unsigned wire_impi_channel_packet(struct wire_impi_channel *channel, enum wire_impi_side side,
                                  const struct wire_impi_packet *packet, uint64_t mark);

/* wire_impi_channel_broken - octets of `side` are no packet (an unknown pk_type). Nothing more of it is judged. */
unsigned wire_impi_channel_broken(struct wire_impi_channel *channel, enum wire_impi_side side);

/* wire_impi_channel_end - `side` has finished its direction or reset the connection, inside a packet or between two. */
unsigned wire_impi_channel_end(struct wire_impi_channel *channel, enum wire_impi_side side, bool inside);

/* wire_impi_channel_gone - the connection is no more, as after a reset: neither host has it open. Judges nothing. */
void wire_impi_channel_gone(struct wire_impi_channel *channel);

/* wire_impi_channel_lacks - octets of `side` have not come so far, and may be taken behind what answers them, or they
 * are lost: what that could explain is not judged from here on. To be called again when those that come late have been
 * taken; in between channel->unsettled[side] is true. The next packet given begins where one begins. */
void wire_impi_channel_lacks(struct wire_impi_channel *channel, enum wire_impi_side side, bool lost);

#endif

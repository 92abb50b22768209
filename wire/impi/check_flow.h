/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Flow control and order on a channel between IMPI hosts, a part of its checker (wire/impi/check_channel.h). Nobody
 * else includes this.
 */
#ifndef WIRE_IMPI_CHECK_FLOW_H
#define WIRE_IMPI_CHECK_FLOW_H

#include "wire/impi/check_channel_state.h"

/* wire_impi_flow_order - judges whether the side may still send such a packet, and notes its FINI. */
void wire_impi_flow_order(struct wire_impi_channel *channel, enum wire_impi_side side, uint32_t type);

/* wire_impi_flow_count - counts a packet of the pair, and judges whether it may be sent without an acknowledgement. */
void wire_impi_flow_count(struct wire_impi_channel *channel, struct wire_impi_pair *pair, uint32_t type, uint64_t mark);

/* wire_impi_flow_acknowledge - judges a PROTOACK for the packets of the pair; NULL: not known. */
void wire_impi_flow_acknowledge(struct wire_impi_channel *channel, struct wire_impi_pair *pair);

/* wire_impi_flow_restart - packets between the two processes were not seen: the counts begin anew. */
void wire_impi_flow_restart(const struct wire_impi_channel *channel, struct wire_impi_pair *pair);

/* wire_impi_flow_settle - judges whether the side has sent the acknowledgements that it owed the other one, when it
 * closes: names the first pair that lacks some. */
void wire_impi_flow_settle(struct wire_impi_channel *channel, enum wire_impi_side side);

/* wire_impi_flow_connection - where the job knows whether the two hosts of the channel are connected, as a word and a
 * bit; NULL when it does not. */
uint32_t *wire_impi_flow_connection(const struct wire_impi_channel *channel, uint32_t *bit);

#endif

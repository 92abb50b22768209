/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Notes about the packets of a channel (a part of the checker of a channel): what deviates by a known reading, what
 * breaks a requirement that is only reconstructed, what looks wrong. Nobody else includes this.
 */
#ifndef WIRE_IMPI_CHECK_NOTES_H
#define WIRE_IMPI_CHECK_NOTES_H

#include "wire/impi/check_channel_state.h"

/* wire_impi_notes_header - what any packet says in its header; `pair` is from its source to its destination, or NULL.
 */
void wire_impi_notes_header(struct wire_impi_channel *channel, enum wire_impi_side side, struct wire_impi_pair *pair,
                            const struct wire_impi_packet *packet);

/* wire_impi_notes_message - the first packet of a message; `back` is the pair the other way, or NULL. The first octets
 * of its data are in channel->head. Returns whether it is a message of a collective operation on the context of
 * point-to-point messages. */
bool wire_impi_notes_message(struct wire_impi_channel *channel, struct wire_impi_pair *pair,
                             struct wire_impi_pair *back, const struct wire_impi_packet *packet);

#endif

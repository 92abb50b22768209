/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What was not seen of a channel, a part of its checker (wire/impi/check_channel.h). Nobody else includes this.
 */
#ifndef WIRE_IMPI_CHECK_LACKS_H
#define WIRE_IMPI_CHECK_LACKS_H

#include "wire/impi/check_channel_state.h"

/* wire_impi_lacks_hold_back - takes away the findings about `side` that what was not seen could explain. */
void wire_impi_lacks_hold_back(struct wire_impi_channel *channel, enum wire_impi_side side);

/* wire_impi_lacks_begin - what wire_impi_channel_lacks does to what is known of messages and counts. */
void wire_impi_lacks_begin(struct wire_impi_channel *channel, enum wire_impi_side side, bool lost);

#endif

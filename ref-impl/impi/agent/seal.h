/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How the channels of a host become secure ones (common/secure.h), before the first packet.
 */
#ifndef REF_IMPL_IMPI_AGENT_SEAL_H
#define REF_IMPL_IMPI_AGENT_SEAL_H

#include "ref-impl/impi/agent/setup.h"
#include "ref-impl/impi/agent/state.h"

#include <stdbool.h>

/* seal_channels - makes every channel that is connected secure, by setup->key; `channels` has one for each host.
 * Blocks, at most setup->connect_seconds. Packets that came behind a handshake are in the queues. False, with a line on
 * stderr: one of the hosts does not prove that it is the one and has the key. */
bool seal_channels(const struct agent_setup *setup, struct channel *channels);

#endif

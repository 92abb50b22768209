/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How the hosts of a job come to their channels (chapter 2.3.8): of two, the one of higher rank connects and says which
 * it is.
 */
#ifndef REF_IMPL_IMPI_AGENT_CONNECT_H
#define REF_IMPL_IMPI_AGENT_CONNECT_H

#include "ref-impl/impi/agent/setup.h"

#include <stdbool.h>

/* connect_hosts - connects to all lower hosts of other clients, in ascending order, then accepts all higher ones.
 * Blocks, at most setup->connect_seconds for all of it. `channels` has an entry for each host of the job: a connected
 * socket that does not block, or -1 for this host and the others of its client. Closes the listening socket. False,
 * with a line on stderr: somebody could not be reached or did not come; the sockets that stand are in `channels` all
 * the same. */
bool connect_hosts(const struct agent_setup *setup, int *channels);

#endif

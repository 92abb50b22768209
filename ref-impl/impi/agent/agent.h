/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A host agent: a process of its own, which carries the IMPI packets of some MPI processes of its client to the hosts
 * of other clients and back (chapters 2.3.8, 2.4, 3.1 and 3.8). Hosts of one client have no channel between them: their
 * processes reach each other over Portals.
 */
#ifndef REF_IMPL_IMPI_AGENT_AGENT_H
#define REF_IMPL_IMPI_AGENT_AGENT_H

#include "ref-impl/impi/agent/setup.h"

/* agent_run - connects to the other hosts, serves until the end, and returns an enum agent_status. Blocks. To be called
 * in a process that has no other descriptors of the job. */
int agent_run(const struct agent_setup *setup);

#endif

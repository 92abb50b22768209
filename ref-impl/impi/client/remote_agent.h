/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A host agent on a node of a cluster, as a process of its own beside the ranks that it serves; see nodes.h.
 */
#ifndef REF_IMPL_IMPI_CLIENT_REMOTE_AGENT_H
#define REF_IMPL_IMPI_CLIENT_REMOTE_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/impi/common/address.h"

/* struct remote_agent is what it needs to know. */
struct remote_agent {
    const char *key;
    struct address own;     /* where it listens to other hosts */
    struct address impirun; /* whom it obeys */
    uint32_t first, count;  /* the ranks that it serves */
};

/* remote_agent_start - starts it, as nobody's child: the rank that starts it becomes a program, which shall not find a
 * child that it has not made. False with errno. */
bool remote_agent_start(const struct remote_agent *agent);

/* remote_agent_link - the link of a rank to the agent on its node of which `first` is the first rank. It outlives exec.
 * -1 with errno. */
int remote_agent_link(const char *key, uint32_t first, uint32_t rank);

#endif

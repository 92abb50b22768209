/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the files of the host agent share, and nobody else sees: agent.c runs the loop, agent/carry.c handles what comes
 * on a connection, agent/phase.c leads from serving to the end, agent/limit.c knows how much is kept at most. See
 * agent.h for what an agent is.
 */
#ifndef REF_IMPL_IMPI_AGENT_STATE_H
#define REF_IMPL_IMPI_AGENT_STATE_H

#include "ref-impl/impi/agent/connection.h"
#include "ref-impl/impi/agent/drain.h"
#include "ref-impl/impi/agent/setup.h"
#include "ref-impl/impi/common/member_index.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phase { PHASE_SERVING, PHASE_LEAVING, PHASE_DRAINING };

/* A way to another host. */
struct channel {
    struct connection connection;
    bool fini_heard;
};

/* The way to a process of this host. */
struct process {
    struct connection connection;
    bool finalized;
};

struct agent {
    const struct agent_setup *setup;
    const struct link_world *world;
    const struct agreed_host *self;
    struct member_index *members;
    enum phase phase;
    int status;          /* AGENT_ORDERLY as long as it goes on */
    size_t most;         /* octets that may wait for one process */
    size_t most_leaving; /* octets that may wait for one host */
    unsigned notes;
    uint64_t orphan_ms; /* until when our processes must be finalized, since a host has left too early; 0: none has */
    struct channel *channels; /* by host rank; where there is none, its connection is closed */
    struct process *processes;
    struct drain drain;
    struct pollfd *polled;
};

/* agent_break - the job is broken: tells why on stderr, and keeps `status` as how it ended. Always false. */
__attribute__((format(printf, 3, 4))) bool agent_break(struct agent *agent, enum agent_status status, const char *fmt,
                                                       ...);

#endif

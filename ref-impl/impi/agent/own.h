/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the files of the host agent share, and nobody else sees: agent.c runs the loop, agent/carry.c handles what comes
 * on a lane, agent/phase.c leads from serving to the end, agent/limit.c knows how much is kept at most. See agent.h for
 * what an agent is.
 */
#ifndef REF_IMPL_IMPI_AGENT_OWN_H
#define REF_IMPL_IMPI_AGENT_OWN_H

#include "ref-impl/impi/agent/agent.h"
#include "ref-impl/impi/agent/lane.h"
#include "ref-impl/impi/agent/parting.h"
#include "ref-impl/impi/common/who.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum phase { PHASE_SERVING, PHASE_LEAVING, PHASE_PARTING };

/* A way to another host. */
struct channel {
    struct lane lane;
    bool fini_heard;
};

/* The way to a process of this host. */
struct process {
    struct lane lane;
    bool finalized;
};

struct agent {
    const struct agent_setup *setup;
    const struct link_world *world;
    const struct agreed_host *self;
    struct who *who;
    enum phase phase;
    int status;          /* AGENT_ORDERLY as long as it goes on */
    size_t most;         /* octets that may wait for one process */
    size_t most_leaving; /* octets that may wait for one host */
    unsigned notes;
    uint64_t orphan_ms; /* until when our processes must be finalized, since a host has left too early; 0: none has */
    struct channel *channels; /* by host rank; where there is none, its lane is closed */
    struct process *processes;
    struct parting parting;
    struct pollfd *polled;
};

/* agent_break - the job is broken: tells why on stderr, and keeps `status` as how it ended. Always false. */
__attribute__((format(printf, 3, 4))) bool agent_break(struct agent *agent, enum agent_status status, const char *fmt,
                                                       ...);

/* agent_carry_channel, agent_carry_link - take what has come on the channel to a host, on the link of a world rank: put
 * its packets on the lanes where they belong, and note the lane's end. A failure shows in agent->status. Do not block.
 */
void agent_carry_channel(struct agent *agent, uint32_t host);
void agent_carry_link(struct agent *agent, uint32_t rank);

/* agent_limit_waiting - octets that may wait for one process of the host `self`: what all processes of other clients
 * may send to it without its acknowledgement.
 * agent_limit_leaving - octets that may wait for one other host: what all processes of `self` may send to all of that
 * one without an acknowledgement, and acknowledgements of all that those may send without having read one. SIZE_MAX
 * where that is more than a size can say. */
size_t agent_limit_waiting(const struct link_world *world, const struct agreed_host *self);
size_t agent_limit_leaving(const struct link_world *world, const struct agreed_host *self);

/* agent_phase_before_sending - goes on to the next phase where that is due, and queues what is to be said about it.
 * agent_phase_after_sending - the same, after queues have been sent as far as sockets took them; true: something more
 * is queued. A failure shows in agent->status. */
void agent_phase_before_sending(struct agent *agent);
bool agent_phase_after_sending(struct agent *agent);

/* agent_phase_ended - whether every process has got all that was for it: nothing is left to do. */
bool agent_phase_ended(const struct agent *agent);

/* agent_phase_wait_ms - how long poll may wait for something to happen; -1: without end. */
int agent_phase_wait_ms(const struct agent *agent);

/* agent_phase_late - whether processes that a host has left alone have had their time; then the job is broken. */
bool agent_phase_late(struct agent *agent);

#endif

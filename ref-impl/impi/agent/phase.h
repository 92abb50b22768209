/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * From serving to the end: see phase.c.
 */
#ifndef REF_IMPL_IMPI_AGENT_PHASE_H
#define REF_IMPL_IMPI_AGENT_PHASE_H

#include <stdbool.h>

struct agent;

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

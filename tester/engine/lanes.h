/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Several jobs at once. A lane executes cases of a run beside the run's own thread, on a thread and with a launch agent
 * of its own; whoever is free takes the next case. Results are told in the order of the cases, so that a report is the
 * same as without lanes. Evidence is kept by cases and never mixes.
 */
#ifndef TESTER_ENGINE_LANES_H
#define TESTER_ENGINE_LANES_H

#include "tester/engine/state.h"
#include "tester/report/outcome.h"

struct lanes;

/* lanes_open makes `count` lanes, LANES_MAX at most, of a run whose agent is there and which has not executed anything.
 * Their agents present the run's token with "-1", "-2", .. behind it. From then on the run's observer is called by one
 * thread at a time. lanes_close frees them; NULL is allowed. */
struct lanes *lanes_open(struct engine_run *run, unsigned count);
void lanes_close(struct lanes *lanes);

/* lanes_count tells how many there are; NULL has none. */
unsigned lanes_count(const struct lanes *lanes);

/* lanes_run executes all cases of the run, by the run's own thread and the lanes; returns when all are done. Why a lane
 * gave up becomes the run's problem. Further agents, of other machines perhaps, present the run's own token, if the run
 * may be shared: each that comes meanwhile, or has come since the first one, gets a lane. */
void lanes_run(struct lanes *lanes);

/* lanes_dismiss lets the lanes' agents end. lanes_cancel has the lanes end soon; any thread. Both take NULL. */
void lanes_dismiss(struct lanes *lanes, const struct outcome *outcome);
void lanes_cancel(struct lanes *lanes, const char *reason);

#endif

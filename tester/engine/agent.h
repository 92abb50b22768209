/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The launch agent of a run, or of one of its lanes: its connection, and its dismissal.
 */
#ifndef TESTER_ENGINE_AGENT_H
#define TESTER_ENGINE_AGENT_H

#include "tester/engine/state.h"
#include "tester/report/outcome.h"

#include <stdbool.h>
#include <stddef.h>

/* agent_send_away tells an agent for which the run has nothing to do that it is over, and closes its connection. */
void agent_send_away(struct registry_link *link);

/* agent_take_links is the loop's callback for the mailbox: agent and interpreters get their connections. `context` is
 * the run. */
void agent_take_links(void *context, short revents);

/* agent_await waits until the agent has connected and said hello; false, with a problem noted, when it does not. */
bool agent_await(struct engine_run *run);

/* agent_accept tells whether the agent that is there may take part: what another template starts is another system.
 * One that may not is told to leave. */
bool agent_accept(struct engine_run *run);

/* agent_ask sends the agent a command and waits for its answer, at most `ms`. True: it is "ok"; else `answer` has what
 * came instead of it. */
bool agent_ask(struct engine_run *run, const char *text, unsigned ms, char *answer, size_t answer_octets);

/* agent_dismiss lets the agent end by itself, with the outcome as its exit status; NULL: it is to come again. */
void agent_dismiss(struct engine_run *run, const struct outcome *outcome);

#endif

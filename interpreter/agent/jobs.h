/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The jobs that the agent has started, from their start to the moment when nothing of them is left
 * (specs/interpreter.md, section 5).
 */
#ifndef INTERPRETER_AGENT_JOBS_H
#define INTERPRETER_AGENT_JOBS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../common/command.h"
#include "../common/line.h"
#include "spawn.h"

enum { JOBS = 64, JOBS_POLL = 2 * JOBS };

/* jobs_start executes the arguments in a process group of its own, without a shell, with nothing on standard input. It
 * waits until the program runs or cannot be executed. Gives the process id, or -1 and a failure (`exists`, `exec`,
 * `no-memory`). */
pid_t jobs_start(const struct job_order *order, struct failure *failure);

/* jobs_stop asks a job to end: SIGTERM, after 2 seconds SIGKILL. When nothing is left of it, `reply_id` is answered.
 * `unknown-name` when there is no such job, `busy` when it is being stopped already. */
void jobs_stop(unsigned long number, unsigned long reply_id, struct failure *failure);

/* jobs_stop_all does so for every job, with no reply. `at_once`: SIGKILL. */
void jobs_stop_all(bool at_once);

/* jobs_signal sends a signal to the process group. */
void jobs_signal(unsigned long number, int signal, struct failure *failure);

/* jobs_add_numbers writes the numbers of the jobs, separated by commas. jobs_any tells whether there is one. */
void jobs_add_numbers(struct line *line);
bool jobs_any(void);

/* jobs_poll fills in what to wait for and gives how many; *timeout_ms becomes smaller when something is due earlier. */
size_t jobs_poll(struct pollfd *polls, int *timeout_ms);

/* jobs_step reads what was printed, notices who died, and does what is due. `polls` is as jobs_poll made it, after
 * poll. */
void jobs_step(const struct pollfd *polls, size_t count);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Making the first process of a job.
 */
#ifndef INTERPRETER_AGENT_SPAWN_H
#define INTERPRETER_AGENT_SPAWN_H

#include <sys/types.h>

#include "../common/command.h"

/* struct job_order is what is needed to start a job. */
struct job_order {
    unsigned long number;
    char **arguments;              /* ended by NULL */
    const struct command *command; /* its pairs env.NAME and unset.NAME are for the environment */
};

/* spawn_job forks and executes. On success gives the process id, which is also the group's, and in `outputs` the
 * reading ends of standard output and error, not blocking. Else -1, a failure, and nothing is left. */
pid_t spawn_job(const struct job_order *order, int outputs[2], struct failure *failure);

/* spawn_check_environment refuses (`bad-value`) pairs env.NAME and unset.NAME whose NAME the manager may not touch. */
void spawn_check_environment(const struct command *command, struct failure *failure);

#endif

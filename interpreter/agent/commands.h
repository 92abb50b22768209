/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The manager's commands to the agent (specs/interpreter.md, section 5).
 */
#ifndef INTERPRETER_AGENT_COMMANDS_H
#define INTERPRETER_AGENT_COMMANDS_H

#include <stdbool.h>

#include "../common/command.h"

/* struct agent is what the agent knows. */
struct agent {
    char *const *words;     /* the template */
    char *const *server;    /* that of the vendor's IMPI server, or NULL */
    const char *advertised; /* where interpreters find the manager */
    unsigned long last_id;
    unsigned long quit_id; /* of the quit that waits for the jobs to end; 0: none */
    int verdict_status;    /* what quit's verdict becomes */
    unsigned jobs;         /* how many cases may be executed at once; 1: no others */
    unsigned others;       /* so many other agents are wanted, and not started yet */
    bool others_asked;
};

/* commands_take executes one line of the manager and answers it, now or when it is done. False, with the reason in
 * `why`, when the line breaks the protocol. */
bool commands_take(struct agent *agent, char *line, struct failure *why);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Starting the launch agent as a child of this program.
 */
#ifndef TESTER_SUT_LAUNCH_H
#define TESTER_SUT_LAUNCH_H

#include "tester/base/loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* struct launch is the child; all zero is none. */
struct launch {
    pid_t pid; /* 0: none, or reaped */
    int fd;    /* readable when it has ended; -1: the system has no such thing */
    struct loop_watch *watch;
};

/* What the agent is started with. The template is an argument vector, NULL-terminated; own_server is the command of an
 * own IMPI server, or NULL. */
struct launch_order {
    const char *address, *token, *own_server;
    unsigned jobs; /* how many cases may be executed at once; 0 is 1 */
    char *const *template;
};

/* launch_agent starts `sut-agent --manager ADDRESS --quiet --jobs N [--server OWN-SERVER] -- TEMPLATE...` with the
 * token in its environment, where other users cannot read it; false and a message when the program is not found or
 * cannot be executed. */
bool launch_agent(struct launch *launch, const struct launch_order *order, char *message, size_t message_octets);

/* launch_watch has `ended` called when the child ends; it must call launch_reap. */
void launch_watch(struct launch *launch, struct loop *loop, loop_ready *ended, void *context);
void launch_reap(struct launch *launch, struct loop *loop);

/* launch_stop ends the child if it is still there (it stops its jobs then) and reaps it; a patient caller lets it end
 * by itself first. */
void launch_stop(struct launch *launch, struct loop *loop, bool patient);

#endif

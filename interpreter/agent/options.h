/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The agent's command line.
 */
#ifndef INTERPRETER_AGENT_OPTIONS_H
#define INTERPRETER_AGENT_OPTIONS_H

#include <stdbool.h>

#include "tunnel.h"

/* struct agent_options: the strings are those of the command line and the environment. */
struct agent_options {
    const char *manager, *token, *advertised;
    struct tunnel tunnel;    /* the way to the manager, where the agent is its relay */
    bool relayed;            /* it is: `manager` is not known before relay_open */
    const char *relay;       /* where the relay listens, or NULL */
    const char *tunnel_text; /* its command in one piece, or NULL */
    bool quiet;
    unsigned jobs;           /* how many cases may be executed at once */
    char *const *words;      /* the template, ended by NULL; at least one */
    char *const *server;     /* that of the vendor's IMPI server, likewise; NULL: there is none */
    const char *server_text; /* the same in one piece */
    const char *jobs_text;   /* `jobs` as it was given, or NULL */
    unsigned patience_s;     /* for so long the agent tries to get a manager back that it has lost; 0: not at all */
    const char *patience_text;
};

/* options_read gives -1 to go on, else the status with which the program ends; then it has printed what there is to
 * say. */
int options_read(int count, char **arguments, struct agent_options *options);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the agent says: to the manager, and to the person at its terminal.
 */
#ifndef INTERPRETER_AGENT_TALK_H
#define INTERPRETER_AGENT_TALK_H

#include <stdbool.h>

#include "command.h"
#include "line.h"

/* talk_open sets the connection; quiet: the person is told of failures only. */
void talk_open(int fd, bool quiet);

/* talk_send sends a line, adds its LF and releases it. After the first failure the manager counts as gone and nothing
 * is sent any more. */
void talk_send(struct line *line);
bool talk_is_broken(void);
void talk_break(void);

/* talk_ok and talk_error answer command `id`. talk_ok takes the results, " key=value" each, or "". */
void talk_ok(unsigned long id, const char *results);
void talk_error(unsigned long id, const struct failure *failure);

/* talk_is_quiet tells whether the person wants to hear of failures only. */
bool talk_is_quiet(void);

#endif

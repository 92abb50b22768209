/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the agent says: to the manager, and to the person at its terminal.
 */
#ifndef INTERPRETER_AGENT_CONVERSATION_H
#define INTERPRETER_AGENT_CONVERSATION_H

#include <stdbool.h>

#include "../common/command.h"
#include "../common/line.h"

/* conversation_open sets the connection; quiet: the person is told of failures only. */
void conversation_open(int fd, bool quiet);

/* conversation_send sends a line, adds its LF and releases it. After the first failure the manager counts as gone and
 * nothing is sent any more. conversation_is_broken tells whether it is so; conversation_break says that it is. */
void conversation_send(struct line *line);
bool conversation_is_broken(void);
void conversation_break(void);

/* conversation_ok and conversation_error answer command `id`. conversation_ok adds the results, " key=value" each, or
 * "". */
void conversation_ok(unsigned long id, const char *results);
void conversation_error(unsigned long id, const struct failure *failure);

/* conversation_is_quiet tells whether the person wants to hear of failures only. */
bool conversation_is_quiet(void);

#endif

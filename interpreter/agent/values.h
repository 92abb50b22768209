/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The values that a manager supplies for placeholders, checked (specs/interpreter.md, section 5).
 */
#ifndef INTERPRETER_AGENT_VALUES_H
#define INTERPRETER_AGENT_VALUES_H

#include "../common/command.h"
#include "template.h"

/* agent_values_read takes the pairs of `start` that stand for placeholders. Nothing that passes can be taken for an
 * option, a path or a command of anybody: `bad-value` otherwise. The strings stay the command's; `options` is decoded
 * in place. */
void agent_values_read(struct command *command, struct template_values *values, struct failure *failure);

/* agent_values_number reads a pair as a number between least and most; `bad-value`, and 0, when it is something else.
 */
unsigned long agent_values_number(const struct command *command, const char *key, unsigned long least,
                                  unsigned long most, struct failure *failure);

#endif

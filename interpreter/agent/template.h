/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The vendor's command template and what the manager may put into it (specs/interpreter.md, section 5).
 */
#ifndef INTERPRETER_AGENT_TEMPLATE_H
#define INTERPRETER_AGENT_TEMPLATE_H

#include "../common/command.h"

/* struct template_values is what placeholders stand for. NULL: the manager gave no value. */
struct template_values {
    const char *np, *client, *server, *clients, *hosts; /* {np} {client} {server} {clients} {hosts} */
    const char *options;                                /* {options}: words with single spaces between, at most four */
    const char *manager, *token;                        /* parts of {args}; no token: the job has no interpreter */
};

/* template_expand makes an argument vector, ended by NULL, that template_free frees: placeholders inside each argument
 * are replaced, an argument that is exactly {args} becomes the interpreter's arguments; without one they are appended.
 * An argument that is exactly {options} becomes the words of the options. One that is exactly one placeholder whose
 * value is empty is left out. Other braces stay as they are. NULL and a failure when a placeholder has no value
 * (`missing`) or memory is short. */
char **template_expand(char *const *words, const struct template_values *values, struct failure *failure);
void template_free(char **arguments);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What every preflight asks an interpreter. What is wrong is told to sut_problem.
 */
#ifndef TESTER_SUT_CONVERSATION_H
#define TESTER_SUT_CONVERSATION_H

#include "tester/sut/job.h"

#include <stdbool.h>
#include <stddef.h>

struct conversation {
    struct sut *sut;
    struct rank *rank;
    const char *api; /* which the interpreter must have been built for */
    char *reply;     /* of the latest command; the caller frees it at the end */
};

/* conversation_ask sends a command; its reply is in self->reply. False, with a problem noted, when none comes.
 * conversation_ask_ok is the same, and the reply must be `ok`. */
bool conversation_ask(struct conversation *self, const char *text);
bool conversation_ask_ok(struct conversation *self, const char *text);

/* conversation_check_hello tells whether the interpreter is of the kind that the profile needs, and keeps its name and
 * features. conversation_check_commands tells whether it refuses what it does not know and knows all `count` functions,
 * and keeps its verbs. */
bool conversation_check_hello(struct conversation *self);
bool conversation_check_commands(struct conversation *self, const char *const *functions, size_t count);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What every preflight asks an interpreter. What is wrong is told to run_problem.
 */
#ifndef TESTER_TALK_H
#define TESTER_TALK_H

#include "tester/job.h"

struct talk {
    struct engine_run *run;
    struct rank *rank;
    char *reply; /* of the latest command; the caller frees it at the end */
};

/* talk_ask sends a command; its reply is in self->reply. False, with a problem noted, when none comes. talk_ask_ok is
 * the same, and the reply must be `ok`. */
bool talk_ask(struct talk *self, const char *text);
bool talk_ask_ok(struct talk *self, const char *text);

/* talk_check_hello tells whether the interpreter is of the kind that the profile needs, and keeps its name and
 * features. talk_check_commands tells whether it refuses what it does not know and knows all `count` functions, and
 * keeps its verbs. */
bool talk_check_hello(struct talk *self);
bool talk_check_commands(struct talk *self, const char *const *functions, size_t count);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The execution of one case.
 */
#ifndef TESTER_ENGINE_CASE_RUN_H
#define TESTER_ENGINE_CASE_RUN_H

#include "tester/engine/state.h"
#include "tester/lua/case.h"

#include <stdbool.h>
#include <stddef.h>

/* case_execute runs the case from its job's start to its end and leaves verdict and complete evidence. The caller
 * releases with case_release. */
void case_execute(struct case_run *self, struct engine_run *run, const struct case_entry *entry);
void case_release(struct case_run *self);

/* The steps of case_execute, for what is like a case (preflight_impi.c). case_begin opens judge and evidence;
 * case_library makes self->lua with the library, or false and a message; case_call calls the function on top of its
 * stack with `t`; case_close stops the jobs and completes the evidence. */
void case_begin(struct case_run *self, struct engine_run *run, const struct case_entry *entry);
bool case_library(struct case_run *self, const struct engine_run *run, char *message, size_t message_octets);
void case_call(struct case_run *self);
void case_close(struct case_run *self, struct engine_run *run);

#endif

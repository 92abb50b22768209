/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The IMPI jobs in captures as the document would draw them, for `assay check --job`.
 */
#ifndef TESTER_COMMANDS_CHECK_JOB_H
#define TESTER_COMMANDS_CHECK_JOB_H

#include "tester/capture/findings.h"

#include <jansson.h>

/* check_job_print prints each job on standard output: who takes part, what was agreed on, collective operations.
 * check_job_json - the same as an array; the caller's. */
void check_job_print(const struct findings *findings);
json_t *check_job_json(const struct findings *findings);

#endif

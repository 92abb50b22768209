/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The look at the system under test before any case: what is wrong here is a matter of configuration, never of
 * conformance.
 */
#ifndef TESTER_PREFLIGHT_H
#define TESTER_PREFLIGHT_H

#include "tester/run.h"

/* preflight_run starts a job of one process, fills run->facts, and returns true when the cases can be judged; else it
 * has told run_problem why not. */
bool preflight_run(struct engine_run *run);

#endif

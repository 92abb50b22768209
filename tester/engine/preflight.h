/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The look at the system under test before any case: what is wrong here is a matter of configuration, never of
 * conformance.
 */
#ifndef TESTER_ENGINE_PREFLIGHT_H
#define TESTER_ENGINE_PREFLIGHT_H

#include "tester/engine/run.h"

#include <stdbool.h>

/* preflight_portals starts a job of one process, preflight_impi a server or two clients. Both fill run->facts, leave
 * the evidence `preflight`, and return true when the cases can be judged; else they have told run_problem why not. */
bool preflight_portals(struct engine_run *run);
bool preflight_impi(struct engine_run *run);

#endif

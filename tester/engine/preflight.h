/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The look at the system under test before any case: what is wrong here is a matter of configuration, never of
 * conformance.
 */
#ifndef TESTER_ENGINE_PREFLIGHT_H
#define TESTER_ENGINE_PREFLIGHT_H

#include "tester/engine/state.h"

#include <stdbool.h>

/* preflight_function fills run->sut.facts, leaves the evidence `preflight`, and returns true when the cases can be
 * judged; else it has told sut_problem why not. */
typedef bool preflight_function(struct engine_run *run);

/* preflight_of gives the function that the row of a profile names. */
preflight_function *preflight_of(const struct profile *profile);

/* preflight_portals starts a job of one process, preflight_impi a server or two clients; preflight_intercept does as
 * preflight_portals, and then starts a job that is to join a network of the manager's. */
preflight_function preflight_portals, preflight_impi, preflight_intercept;

#endif

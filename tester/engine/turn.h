/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * One case's turn in a run: it is executed, and later told, in the order of the cases.
 */
#ifndef TESTER_ENGINE_TURN_H
#define TESTER_ENGINE_TURN_H

#include "tester/engine/state.h"
#include "tester/lua/case.h"

#include <stdbool.h>
#include <stddef.h>

struct turn {
    struct case_run execution;
    unsigned attempt; /* at this case, where it is not the first; else 0 */
    unsigned duration_ms;
};

/* turn_take executes the case of that place in the selection; `attempt` is 0 where that is for the first time
 * (again.h). turn_tell adds its result to the run's and tells the observer; the turn is over then. */
void turn_take(struct engine_run *run, size_t place, unsigned attempt, struct turn *turn);
void turn_tell(struct engine_run *run, struct turn *turn);

/* turn_is_void tells whether the run is suspended, also because the agent of `run`, which may be a lane, is lost now:
 * what a case has come to meanwhile is not told, and turn_drop forgets it. */
bool turn_is_void(struct engine_run *run);
void turn_drop(struct turn *turn);

#endif

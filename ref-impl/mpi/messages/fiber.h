/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Fibers: work that the program's thread does a bit at a time, whenever it is in MPI anyway. Each has a stack of its
 * own, so that it may be written as if it waited; instead it gives way, and is resumed later where it was.
 *
 *      program's stack   ..MPI_Test.. engine_advance            fiber_run returns, MPI_Test too
 *                                        | fiber_run                ^
 *      a fiber's stack                   +-> ..p2p_receive.. engine_wait: fiber_yield
 *
 * Only one of all these stacks is in use at a time, and no fiber resumes another.
 */
#ifndef REF_IMPL_MPI_MESSAGES_FIBER_H
#define REF_IMPL_MPI_MESSAGES_FIBER_H

#include <stdbool.h>

/* fiber_begin - has `work` done in a fiber, until it gives way first; the fiber ends when `work` returns. Not to be
 * called in one. False: there is no memory. */
bool fiber_begin(void (*work)(void *argument), void *argument);

/* fiber_run - resumes each fiber once, in the order in which they were begun, until it gives way again or ends. */
void fiber_run(void);

/* fiber_yield - gives way; returns when the fiber is resumed. Called in a fiber only. */
void fiber_yield(void);

/* fiber_yield_to_look - the same, where the fiber waits for what the engine does not hear of: meanwhile the program
 * looks again and again, and resumes it each time.
 * fiber_looks - whether any fiber waits so. */
void fiber_yield_to_look(void);
bool fiber_looks(void);

/* fiber_is_running - whether the caller is in a fiber.
 * fiber_any - whether there are any. */
bool fiber_is_running(void);
bool fiber_any(void);

/* fiber_close - takes all fibers away, wherever they are. */
void fiber_close(void);

#endif

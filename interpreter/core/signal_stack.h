/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Stacks of their own for signal handlers, so that a stack overflow of the library is reported like any other crash.
 */
#ifndef INTERPRETER_CORE_SIGNAL_STACK_H
#define INTERPRETER_CORE_SIGNAL_STACK_H

/* signal_stack_use_main gives the calling thread the stack that lasts as long as the process. For the main thread. */
void signal_stack_use_main(void);

/* signal_stack_use gives the calling thread a stack of its own; signal_stack_leave, on the same thread, takes it back
 * and frees it. NULL when memory is short: then handlers run on the thread's own stack. Leaving NULL does nothing. */
void *signal_stack_use(void);
void signal_stack_leave(void *stack);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues of Portals 3.3 with a handler, which keeps what it is called with until the manager asks.
 */
#ifndef INTERPRETER_PORTALS_LATER_HANDLERS_H
#define INTERPRETER_PORTALS_LATER_HANDLERS_H

#include "../call.h"

/* run_handler_alloc is PtlEQAlloc with a handler, run_handled tells what that was called with. */
void run_handler_alloc(struct call *call);
void run_handled(struct call *call);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues with a handler: a function of the program that is called with each event.
 */
#ifndef REF_IMPL_API3_HANDLER_H
#define REF_IMPL_API3_HANDLER_H

#include "ref-impl/api3/later.h"

/* handler_alloc - makes a queue whose events are given to `handler` too, by a thread of its own. CORE_BAD_INTERFACE,
 * CORE_NO_SPACE. */
CORE_MUST_USE enum core_status handler_alloc(uint64_t interface, uint64_t count, ptl_eq_handler_t handler,
                                             uint64_t *handle);

/* handler_free - destroys a queue with or without a handler; that has run for every event, unless it is the caller.
 * CORE_BAD_QUEUE. */
CORE_MUST_USE enum core_status handler_free(uint64_t handle);

/* handler_join_all - ends what is left of handlers whose queues went with their interface. */
void handler_join_all(void);

#endif

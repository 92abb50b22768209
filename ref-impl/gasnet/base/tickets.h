/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Tickets bound what is under way: a message that this node starts holds one until it has gone (a put or get: until it
 * has ended), a temporary descriptor one while it lives. Who gets none polls and tries again.
 */
#ifndef REF_IMPL_GASNET_BASE_TICKETS_H
#define REF_IMPL_GASNET_BASE_TICKETS_H

#include <stdbool.h>
#include <stdint.h>

enum ticket { TICKET_MESSAGE, TICKET_TEMPORARY, TICKET_KINDS };

/* tickets_open - how many there are of each. */
void tickets_open(enum ticket kind, uint32_t count);

/* tickets_take - takes `count`, all or none.
 * tickets_give - gives so many back. */
bool tickets_take(enum ticket kind, uint32_t count);
void tickets_give(enum ticket kind, uint32_t count);

#endif

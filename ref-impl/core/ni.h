/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls on an open interface: how each of them enters and leaves it, and what can be asked of the interface itself
 * (chapter 3.5). ni_object.h says what an interface is and how its lock is used, ni_open.h how it opens and closes.
 */
#ifndef REF_IMPL_CORE_NI_H
#define REF_IMPL_CORE_NI_H

#include <stdint.h>

#include "ref-impl/core/ni_object.h"
#include "ref-impl/core/status.h"

/* ni_enter - locks the interface that a handle of any kind names and keeps it from closing; NULL, and nothing to leave,
 * when it is not open. The object itself may not exist. */
//= GASN-042
struct ni *ni_enter(uint64_t handle);

/* ni_enter_interface - ni_enter for the handle of the interface itself: NULL when it is not exactly that. */
struct ni *ni_enter_interface(uint64_t handle);

/* ni_leave - unlocks it again. */
void ni_leave(struct ni *ni);

/* ni_dropped - stores how many messages the interface has discarded. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_dropped(uint64_t handle, int64_t *count);

/* ni_distance - stores the network's measure to a process. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_distance(uint64_t handle, const struct wire_portals_id *process, double *distance);

/* ni_is_open - whether the handle is that of an open interface. CORE_OK, CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_is_open(uint64_t handle);

/* ni_owner - stores the handle of the interface that a living object of any kind belongs to. CORE_BAD_HANDLE. */
CORE_MUST_USE enum core_status ni_owner(uint64_t handle, uint64_t *owner);

#endif

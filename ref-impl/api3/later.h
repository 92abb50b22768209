/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the functions of Portals 3.2 and 3.3 share. These files are compiled once for each of the two: portals3.h is the
 * header of that revision (ref-impl/include/portals-3.2 or -3.3), revision.h what it calls things by (ref-impl/api32 or
 * api33). Like ref-impl/api they check arguments, turn the interface's structs into the core's and back, and the core's
 * answers into codes; what the revisions do differently is decided in core/policy.h.
 */
#ifndef REF_IMPL_API3_LATER_H
#define REF_IMPL_API3_LATER_H

#include <portals3.h>
#include <stdbool.h>

#include "ref-impl/address.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/messages/message.h"
#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"

/* API marks what the library shows to the outside. */
#define API __attribute__((visibility("default")))

/* api3_is_open - whether PtlInit has succeeded and PtlFini has not been called. */
bool api3_is_open(void);

/* api3_code - the return code for an answer of the core. */
int api3_code(enum core_status status);

/* api3_begin_opening - makes the process one with this id, or for PTL_PID_ANY the one that its runtime system has
 * declared, if any, so that an interface can be opened; false: it cannot be. Keeps PtlInit, PtlFini and others of its
 * kind out until api3_end_opening, in both cases. */
bool api3_begin_opening(ptl_pid_t pid);
void api3_end_opening(void);

/* api3_ready - PTL_OK when the library is open and `octets` octets can be written at `output` (NULL only where nothing
 * is to be written: 0 octets); else the code to return. */
int api3_ready(const void *output, size_t octets);

/* api3_process - the id of a process.
 * api3_criterion - an id that may hold wildcards. */
ptl_process_id_t api3_process(const struct wire_portals_id *id);
struct wire_portals_id api3_criterion(ptl_process_id_t process);

/* api3_target - where a put or get goes; false when no process has that id. */
bool api3_target(ptl_process_id_t process, struct wire_portals_id *id);

/* api3_has_memory - whether the memory of a descriptor is there at all. */
bool api3_has_memory(const ptl_md_t *md);

/* api3_event - gives an event to the program if the core gave one; the code to return. */
int api3_event(enum core_status status, const struct core_event *logged, ptl_event_t *event);

#endif

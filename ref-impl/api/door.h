/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the functions of the front door share. The door is Portals 3.0 (ref-impl/include/portals.h) on the outside and
 * the core (ref-impl/core) on the inside; it checks arguments in the order that portals.h states, turns the interface's
 * structs into the core's and back, and turns the core's answers into codes. It decides nothing else.
 */
#ifndef REF_IMPL_API_DOOR_H
#define REF_IMPL_API_DOOR_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"
#include "ref-impl/include/portals.h"

/* DOOR marks what libportals shows to the outside. */
#define DOOR __attribute__((visibility("default")))

/* door_is_open says whether PtlInit has succeeded and PtlFini has not been called. */
bool door_is_open(void);

/* door_code is the return code for an answer of the core. */
int door_code(enum core_status status);

/* door_process_named finds the one process that an id names: every wildcard, unknown kind, and pair of ids that do not
 * belong together fails. A process outside the group keeps CORE_ANY_ID for the ids that nobody here knows. */
bool door_process_named(const ptl_process_id_t *process, struct wire_portals_id *id);

/* door_criterion turns an id with wildcards into a criterion; false for an unknown kind. */
bool door_criterion(const ptl_process_id_t *process, struct wire_portals_id *criterion);

/* door_process is an id as the library fills it in: all four members set. */
ptl_process_id_t door_process(const struct wire_portals_id *id);

/* door_md_in and door_md_out turn a memory descriptor into the core's and back. */
struct core_md door_md_in(const ptl_md_t *md);
ptl_md_t door_md_out(const struct core_md *md);

/* door_readable and door_writable say whether `len` octets may be read or written at an address. False for NULL and, as
 * far as the system tells, for memory that is not there; true is no proof. The memory's content stays as it is. */
bool door_readable(const void *address, size_t len);
bool door_writable(void *address, size_t len);

#endif

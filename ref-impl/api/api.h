/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What the functions of the front door share. It is Portals 3.0 (ref-impl/include/portals.h) on the outside and
 * the core (ref-impl/core) on the inside; it checks arguments in the order that portals.h states, turns the interface's
 * structs into the core's and back, and turns the core's answers into codes. It decides nothing else.
 */
#ifndef REF_IMPL_API_API_H
#define REF_IMPL_API_API_H

#include <stdbool.h>
#include <stddef.h>

#include "ref-impl/address.h"
#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"
#include "ref-impl/include/portals.h"

/* API marks what libportals shows to the outside. */
#define API __attribute__((visibility("default")))

/* api_is_open says whether PtlInit has succeeded and PtlFini has not been called. */
bool api_is_open(void);

/* api_code is the return code for an answer of the core. */
int api_code(enum core_status status);

/* api_process_named finds the one process that an id names: every wildcard, unknown kind, and pair of ids that do not
 * belong together fails. A process outside the group keeps CORE_ANY_ID for the ids that nobody here knows. */
bool api_process_named(const ptl_process_id_t *process, struct wire_portals_id *id);

/* api_process_member is api_process_named for members of the group only: ids that can be translated. */
bool api_process_member(const ptl_process_id_t *process, struct wire_portals_id *id);

/* api_criterion turns an id with wildcards into a criterion; false for an unknown kind. */
bool api_criterion(const ptl_process_id_t *process, struct wire_portals_id *criterion);

/* api_process is an id as the library fills it in: all four members set. */
ptl_process_id_t api_process(const struct wire_portals_id *id);

/* api_md_in and api_md_out turn a memory descriptor into the core's and back. */
struct core_md api_md_in(const ptl_md_t *md);
ptl_md_t api_md_out(const struct core_md *md);

/* api_readable - whether `len` octets may be read at an address: false for NULL and, as far as the system tells, for
 * memory that is not there; true is no proof. The memory's content stays as it is. */
static inline bool api_readable(const void *address, size_t len)
{
    return address_is_good(address, len, ADDRESS_READ);
}

/* api_writable - the same for writing. */
static inline bool api_writable(void *address, size_t len)
{
    return address_is_good(address, len, ADDRESS_WRITE);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * What Portals 3.2 calls things by, for ref-impl/api3.
 */
#ifndef REF_IMPL_API32_REVISION_H
#define REF_IMPL_API32_REVISION_H

#include <portals3.h>

#include "ref-impl/core/policy.h"
#include "ref-impl/core/types.h"

#define REVISION_POLICY       policy_3_2
#define REVISION_NO_INIT      PTL_NOINIT
#define REVISION_BAD_PID      PTL_INV_PROC
#define REVISION_BAD_REGISTER PTL_INV_SR_INDX
#define REVISION_MD_IN_USE    PTL_MD_INUSE
#define REVISION_SCATTERED    0u /* the option of a scattered region: there is none */

/* The return code for each answer of the core. */
extern const int revision_codes[];

/* struct revision_limits is ptl_ni_limits_t; indexes are the highest ones. `pieces` of a region and octets that are
 * exchanged are of 3.3 only. */
struct revision_limits {
    int entries, descriptors, queues, list, portal, access, pieces, exchange;
};

/* revision_limits_in, revision_limits_out, revision_md_in, revision_md_out, revision_event - the structs of the
 * interface, from and to the core. */
struct revision_limits revision_limits_in(const ptl_ni_limits_t *limits);
ptl_ni_limits_t revision_limits_out(const struct revision_limits *limits);
struct core_md revision_md_in(const ptl_md_t *md);
ptl_md_t revision_md_out(const struct core_md *md);
ptl_event_t revision_event(const struct core_event *event);

/* revision_declared - writes who a process that no launcher has started is by what its runtime system has declared, if
 * it has. */
void revision_declared(ptl_process_id_t *self);

#endif

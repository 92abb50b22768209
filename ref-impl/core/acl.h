/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Changing the access control table of an interface (chapter 3.9): what is behind PtlACEntry.
 */
#ifndef REF_IMPL_CORE_ACL_H
#define REF_IMPL_CORE_ACL_H

#include <stdint.h>

#include "ref-impl/core/status.h"
#include "wire/portals/messages.h"

/* acl_set - replaces entry `index` of the interface of that handle; the entry admits `process` (which may hold
 * CORE_ANY_ID) to `portal` (which may be CORE_ANY_PORTAL); where access is by user, only if it is of `user` (which may
 * be CORE_ANY_ID). CORE_BAD_INTERFACE, CORE_BAD_ACCESS, CORE_BAD_PORTAL. */
CORE_MUST_USE enum core_status acl_set(uint64_t interface, uint32_t index, const struct wire_portals_id *process,
                                       uint32_t portal, uint32_t user);

#endif

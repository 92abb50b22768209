/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls on match entries: what is behind the PtlME functions (chapter 3.6). me_object.h says what an entry is, unlink.h
 * how it goes.
 */
#ifndef REF_IMPL_CORE_ME_H
#define REF_IMPL_CORE_ME_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/me_object.h"
#include "ref-impl/core/status.h"

/* me_attach - makes a match list of one new entry for a portal, in place of what is there. CORE_BAD_INTERFACE,
 * CORE_BAD_PORTAL, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status me_attach(uint64_t interface, uint32_t portal, const struct me_criteria *criteria,
                                         bool unlinks, uint64_t *handle);

/* me_append - makes a new entry at the head (`first`) or the tail of a portal's match list. CORE_BAD_INTERFACE,
 * CORE_BAD_PORTAL, CORE_LIST_TOO_LONG, CORE_NO_SPACE.
 * me_append_any - makes it the list of a portal that has none, and stores which. CORE_BAD_INTERFACE,
 * CORE_NO_FREE_PORTAL, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status me_append(uint64_t interface, uint32_t portal, const struct me_criteria *criteria,
                                         bool unlinks, bool first, uint64_t *handle);
CORE_MUST_USE enum core_status me_append_any(uint64_t interface, uint32_t *portal, const struct me_criteria *criteria,
                                             bool unlinks, uint64_t *handle);

/* me_insert - makes a new entry directly before or behind `current`. CORE_BAD_ENTRY, CORE_LIST_TOO_LONG, CORE_NO_SPACE.
 */
CORE_MUST_USE enum core_status me_insert(uint64_t current, bool before, const struct me_criteria *criteria,
                                         bool unlinks, uint64_t *handle);

/* me_unlink - destroys an entry and its descriptors; when it returns nothing is written to their regions any more.
 * CORE_BAD_ENTRY. */
CORE_MUST_USE enum core_status me_unlink(uint64_t handle);

#endif

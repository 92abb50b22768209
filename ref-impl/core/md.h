/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls on memory descriptors: what is behind the PtlMD functions (chapter 3.7). md_object.h says what a descriptor is,
 * unlink.h how it goes.
 */
#ifndef REF_IMPL_CORE_MD_H
#define REF_IMPL_CORE_MD_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"

/* md_attach - makes a list of one new descriptor for entry `me`, in place of what is there. CORE_BAD_ENTRY,
 * CORE_ILLEGAL, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_attach(uint64_t me, const struct core_md *value, bool unlinks, uint64_t *handle);

/* md_attach_only - makes the one descriptor of entry `me`. CORE_BAD_ENTRY, CORE_IN_USE (it has one), CORE_ILLEGAL,
 * CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_attach_only(uint64_t me, const struct core_md *value, bool unlinks, uint64_t *handle);

/* md_insert - makes a new descriptor directly before or behind `current` in its list.
 * CORE_ILLEGAL, CORE_BAD_DESCRIPTOR (also for one that is in no list), CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_insert(uint64_t current, bool before, const struct core_md *value, bool unlinks,
                                         uint64_t *handle);

/* md_bind - makes a new descriptor that is in no list. CORE_BAD_INTERFACE, CORE_ILLEGAL, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_bind(uint64_t interface, const struct core_md *value, uint64_t *handle);

/* md_unlink - destroys a descriptor; when it returns nothing is written to its region any more. CORE_BAD_DESCRIPTOR;
 * CORE_IN_USE where the policy says so. */
CORE_MUST_USE enum core_status md_unlink(uint64_t handle);

/* md_update - stores the value in *old (unless NULL) and replaces it by *value (unless NULL), provided that the queue
 * `testq` is quiet or CORE_NONE. *old is written with CORE_OK and CORE_NOT_EMPTY. CORE_BAD_DESCRIPTOR, CORE_BAD_QUEUE,
 * CORE_NOT_EMPTY, CORE_ILLEGAL. */
CORE_MUST_USE enum core_status md_update(uint64_t handle, struct core_md *old, const struct core_md *value,
                                         uint64_t testq);

#endif

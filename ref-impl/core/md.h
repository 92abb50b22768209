/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors: regions of memory with rules (chapter 3.7). One is linked into the list of a match entry, or
 * bound to the interface only. Unlinking takes its handle and its place in the list away at once; the struct goes when
 * the last operation on it has ended.
 */
#ifndef REF_IMPL_CORE_MD_H
#define REF_IMPL_CORE_MD_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/line.h"
#include "ref-impl/core/list.h"
#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"

struct me;
struct ni;

/* struct md is guarded by the lock of its interface. What every message needs is in one line. */
struct md {
    _Alignas(LINE_OCTETS) struct core_md value;
    unsigned references; /* its handle, and the operations on it */
    bool unlinks;        /* when a request takes the threshold from 1 to 0 */
    struct list writing; /* struct operation whose payload may still be written into the region */

    uint64_t offset; /* the local one: where the next operation begins */
    uint64_t handle;
    struct me *me; /* NULL: bound, or unlinked */
    struct list link;
};

/* md_attach makes a list of one new descriptor for entry `me`, in place of what is there. CORE_BAD_ENTRY, CORE_ILLEGAL,
 * CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_attach(uint64_t me, const struct core_md *value, bool unlinks, uint64_t *handle);

/* md_insert makes a new descriptor directly before or behind `current` in its list.
 * CORE_ILLEGAL, CORE_BAD_DESCRIPTOR (also for one that is in no list), CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_insert(uint64_t current, bool before, const struct core_md *value, bool unlinks,
                                         uint64_t *handle);

/* md_bind makes a new descriptor that is in no list. CORE_BAD_INTERFACE, CORE_ILLEGAL, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status md_bind(uint64_t interface, const struct core_md *value, uint64_t *handle);

/* md_unlink destroys a descriptor; when it returns nothing is written to its region any more. CORE_BAD_DESCRIPTOR. */
CORE_MUST_USE enum core_status md_unlink(uint64_t handle);

/* md_update stores the value in *old (unless NULL) and replaces it by *value (unless NULL), provided that the queue
 * `testq` is quiet or CORE_NONE. *old is written with CORE_OK and CORE_NOT_EMPTY. CORE_BAD_DESCRIPTOR, CORE_BAD_QUEUE,
 * CORE_NOT_EMPTY, CORE_ILLEGAL. */
CORE_MUST_USE enum core_status md_update(uint64_t handle, struct core_md *old, const struct core_md *value,
                                         uint64_t testq);

/* The rest is for the core, with the lock held. */

/* md_find returns the living descriptor of that handle, or NULL. */
struct md *md_find(const struct ni *ni, uint64_t handle);

/* md_enter enters the interface of a living descriptor; NULL, and nothing to leave, when the handle names none. */
struct md *md_enter(uint64_t handle, struct ni **ni);

/* md_hold and md_release count the operations on a descriptor. */
void md_hold(struct md *md);
void md_release(struct md *md);

/* md_exhaust unlinks a descriptor whose threshold a request has taken to 0. Operations under way go on. */
void md_exhaust(struct ni *ni, struct md *md);

/* md_destroy unlinks a descriptor; what still writes to its region is moved to `doomed`, to be revoked. */
void md_destroy(struct ni *ni, struct md *md, struct list *doomed);

#endif

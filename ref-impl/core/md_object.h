/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Memory descriptors as objects: regions of memory with rules (chapter 3.7). One is linked into the list of a match
 * entry, or bound to the interface only. Unlinking takes its handle and its place in the list away at once; the struct
 * goes when the last operation on it has ended.
 */
#ifndef REF_IMPL_CORE_MD_OBJECT_H
#define REF_IMPL_CORE_MD_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/list.h"
#include "ref-impl/core/types.h"

struct me;
struct ni;
struct region;

/* struct md is guarded by the lock of its interface. */
struct md {
    struct core_md value;
    uint64_t offset; /* the local one: where the next operation begins */
    uint64_t handle;
    struct me *me; /* in whose list it stands, by `link`; NULL: bound, or unlinked */
    struct list link;
    struct list writing;   /* struct operation whose payload may still be written into the region */
    unsigned references;   /* its handle, and the operations on it */
    bool unlinks;          /* when a request takes the threshold from 1 to 0 */
    bool exhausted;        /* the library has unlinked it; that is logged when the last operation on it has ended */
    uint64_t last;         /* number of the last event of an operation on it */
    struct region *region; /* where that is scattered, else NULL */
};

/* md_find - the living descriptor of that handle, or NULL. Lock held. */
struct md *md_find(const struct ni *ni, uint64_t handle);

/* md_enter - enters the interface of a living descriptor; NULL, and nothing to leave, when the handle names none. */
struct md *md_enter(uint64_t handle, struct ni **ni);

/* md_is_busy - whether an operation on the descriptor is under way. Lock held. */
bool md_is_busy(const struct md *md);

/* md_hold, md_release - one operation on the descriptor more, one less; the last one frees it when its handle is gone
 * too. Lock held. */
void md_hold(struct md *md);
void md_release(struct ni *ni, struct md *md);

/* md_free - frees one that nothing refers to any more. */
void md_free(struct md *md);

#endif

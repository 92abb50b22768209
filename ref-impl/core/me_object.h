/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries and match lists as objects: which requests are for which memory descriptors (chapter 3.6). A portal has
 * one match list; an entry has one list of memory descriptors, of which only the first is ever considered (2.2).
 *
 *      portal table      match list                     (figure 3 of the specification)
 *      +--------+
 *      | list 0 |------> entry -----> entry -----> entry
 *      +--------+          |            |
 *      | list 1 |         md -> md     md
 *      +--------+
 */
#ifndef REF_IMPL_CORE_ME_OBJECT_H
#define REF_IMPL_CORE_ME_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/list.h"
#include "ref-impl/core/types.h"

struct match_index;
struct ni;

struct match_list {
    struct list entries;
    uint32_t count;
    struct match_index *index; /* of a long list; NULL: it is walked */
};

/* What a request must be to match. */
struct me_criteria {
    struct wire_portals_id process; /* may hold CORE_ANY_ID */
    uint64_t match_bits;
    uint64_t ignore_bits;
};

/* struct me is guarded by the lock of its interface. */
struct me {
    struct me_criteria criteria;
    struct list descriptors; /* struct md */
    bool unlinks;            /* when its last memory descriptor is unlinked */
    uint64_t handle;
    struct match_list *list; /* in which it stands, by `link` */
    struct list link;

    /* Where it stands in the index of its list: matching/index.h. */
    uint64_t hash;
    uint8_t class;
    struct list chain;
    uint64_t label; /* grows along the list */
};

/* me_enter - enters the interface of a living entry; NULL, and nothing to leave, when the handle names none. */
struct me *me_enter(uint64_t handle, struct ni **ni);

/* me_matches - whether a request fits the criteria of an entry. Lock held. */
bool me_matches(const struct ni *ni, const struct me *me, const struct wire_portals_header *request);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries and match lists: which requests are for which memory descriptors (chapter 3.6). A portal has one match
 * list; an entry has one list of memory descriptors, of which only the first is ever considered (2.2).
 *
 *      portal table      match list                     (figure 3 of the specification)
 *      +--------+
 *      | list 0 |------> entry -----> entry -----> entry
 *      +--------+          |            |
 *      | list 1 |         md -> md     md
 *      +--------+
 */
#ifndef REF_IMPL_CORE_ME_H
#define REF_IMPL_CORE_ME_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/line.h"
#include "ref-impl/core/list.h"
#include "ref-impl/core/status.h"
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

/* struct me is guarded by the lock of its interface. What a search needs of the entry that it finds is in one line. */
struct me {
    /* hash, chain, label and class say where it stands in the index of its list: match_index.h. */
    _Alignas(LINE_OCTETS) uint64_t hash;
    struct list chain;
    struct me_criteria criteria;
    struct list descriptors;

    uint64_t label; /* grows along the list */
    uint8_t class;
    bool unlinks; /* when its last memory descriptor is unlinked */
    struct list link;
    struct match_list *list;
    uint64_t handle;
};

/* me_attach makes a match list of one new entry for a portal, in place of what is there. CORE_BAD_INTERFACE,
 * CORE_BAD_PORTAL, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status me_attach(uint64_t interface, uint32_t portal, const struct me_criteria *criteria,
                                         bool unlinks, uint64_t *handle);

/* me_insert makes a new entry directly before or behind `current`. CORE_BAD_ENTRY, CORE_LIST_TOO_LONG, CORE_NO_SPACE.
 */
CORE_MUST_USE enum core_status me_insert(uint64_t current, bool before, const struct me_criteria *criteria,
                                         bool unlinks, uint64_t *handle);

/* me_unlink destroys an entry and its descriptors; when it returns nothing is written to their regions any more.
 * CORE_BAD_ENTRY. */
CORE_MUST_USE enum core_status me_unlink(uint64_t handle);

/* The rest is for the core, with the lock held. */

/* me_enter enters the interface of a living entry; NULL, and nothing to leave, when the handle names none. */
struct me *me_enter(uint64_t handle, struct ni **ni);

/* me_matches says whether a request fits the criteria of an entry. */
bool me_matches(const struct ni *ni, const struct me *me, const struct wire_portals_header *request);

/* me_empty destroys the descriptors of an entry; what still writes to their regions is moved to `doomed`. */
void me_empty(struct ni *ni, struct me *me, struct list *doomed);

/* me_lost_descriptor is told that a descriptor was unlinked from the entry, and unlinks the entry if it asks for that.
 */
void me_lost_descriptor(struct ni *ni, struct me *me);

/* me_destroy destroys an entry with its descriptors, as me_empty. */
void me_destroy(struct ni *ni, struct me *me, struct list *doomed);

#endif

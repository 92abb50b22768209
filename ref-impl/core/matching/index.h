/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The search of a match list: which entries may match a request, in the order of the list.
 *
 * The rule is the specification's: from the head on, entry by entry (2.2). A short list is searched just so. A long one
 * has an index beside it, so that a request looks at the few entries that fit and not at the thousands that do not:
 *
 *   - Entries that leave the same things open (the ignore bits, and which ids of the process are wildcards) are of one
 *     class. Within a class all else must be equal, so a hash finds what fits.
 *   - A program has few classes. A request asks each of them, and what they offer is merged by the labels of the
 *     entries (matching/order.h), so that it comes in the order of the list.
 *   - Entries of further classes are kept in one chain, which is walked.
 *
 * The index only leaves out what cannot match; whether an entry does is for me_matches to say, whatever was offered.
 * It costs no call a return code: without memory for it the list is walked.
 */
#ifndef REF_IMPL_CORE_MATCHING_INDEX_H
#define REF_IMPL_CORE_MATCHING_INDEX_H

#include "ref-impl/core/me_object.h"
#include "wire/portals/messages.h"

enum {
    MATCH_INDEX_FROM = 32,   /* entries of a list from which on it has an index */
    MATCH_INDEX_CLASSES = 16 /* the first is for all entries that found no other */
};

/* struct match_search is a search under way. The list must not change meanwhile. */
struct match_search {
    const struct match_list *list;
    const struct list *at; /* without index: the entry that comes next */
    uint32_t steps;        /* entries that were looked at, those of other hashes included */
    uint64_t hash[MATCH_INDEX_CLASSES];
    const struct list *candidate[MATCH_INDEX_CLASSES]; /* of each class, the one that comes next; NULL: none */
    const struct me *taken; /* the candidate that was returned: its class goes on behind it; NULL: none */
};

/* match_first - begins to search a list for a request: the first entry that may match it.
 * match_next - the next one. NULL at the end. Lock held, as for all here. */
const struct me *match_first(struct match_search *search, const struct match_list *list,
                             const struct wire_portals_header *request);
const struct me *match_next(struct match_search *search);

/* match_index_add - takes note that an entry was linked into its list and counted. */
void match_index_add(struct me *me);

/* match_index_remove - takes note that an entry was taken out of its list and is no longer counted. */
void match_index_remove(struct me *me);

#endif

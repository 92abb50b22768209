/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How match entries and memory descriptors go (chapters 2.2, 3.6 and 3.7). The one draws the other along:
 *
 *      a request exhausts a descriptor --> the descriptor goes --> the entry has no descriptor left --> it goes, if it
 *      a call unlinks a descriptor   ----------^                                                       asks for that
 *      a call unlinks an entry       --> its descriptors go, then the entry
 *
 * A descriptor whose region is still written to is gone for everybody but the network. Whoever takes it away by a call
 * collects these operations in a list, `revoked`, and has their memory taken back from the network when all lists are
 * in order again: operation_revoke.
 *
 * The lock of the interface is held throughout.
 */
#ifndef REF_IMPL_CORE_UNLINK_H
#define REF_IMPL_CORE_UNLINK_H

#include "ref-impl/core/list.h"
#include "ref-impl/short_path.h"

struct md;
struct me;
struct ni;

/* unlink_descriptor - unlinks a descriptor; what still writes to its region is moved to `revoked`. Its entry stays. */
void unlink_descriptor(struct ni *ni, struct md *md, struct list *revoked);

/* unlink_exhausted - unlinks a descriptor whose threshold a request has taken to 0, and its entry if that asks for it.
 * Operations under way go on. */
ASIDE void unlink_exhausted(struct ni *ni, struct md *md);

/* unlink_all_descriptors - unlinks all descriptors of an entry, which stays; `revoked` as above. */
void unlink_all_descriptors(struct ni *ni, struct me *me, struct list *revoked);

/* unlink_entry - unlinks an entry with its descriptors; `revoked` as above. */
void unlink_entry(struct ni *ni, struct me *me, struct list *revoked);

/* unlink_entry_if_empty - unlinks an entry that has lost a descriptor, if it asks for that and has none left. */
void unlink_entry_if_empty(struct ni *ni, struct me *me);

#endif

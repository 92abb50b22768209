/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * How match entries and memory descriptors go: see unlink.h.
 */
#include "ref-impl/core/unlink.h"

#include <stdlib.h>

#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/ni_object.h"
#include "ref-impl/core/operation.h"

/* Takes a descriptor out of its list and its handle away. */
static void detach(struct ni *ni, struct md *md)
{
    list_remove(&md->link);
    md->me = NULL;
    handle_remove(&ni->objects, md->handle);
    md_release(ni, md);
}

void unlink_descriptor(struct ni *ni, struct md *md, struct list *revoked)
{
    operation_mark_revoked(md, revoked);
    detach(ni, md);
}

void unlink_all_descriptors(struct ni *ni, struct me *me, struct list *revoked)
{
    struct list *link;

    while ((link = list_take(&me->descriptors))) {
        unlink_descriptor(ni, LIST_OWNER(link, struct md, link), revoked);
    }
}

void unlink_entry(struct ni *ni, struct me *me, struct list *revoked)
{
    unlink_all_descriptors(ni, me, revoked); //= P30-130
    list_remove(&me->link);                  //= P30-129 P30-131 P30-132
    me->list->count--;
    match_index_remove(me);
    handle_remove(&ni->objects, me->handle);
    free(me);
}

void unlink_entry_if_empty(struct ni *ni, struct me *me)
{
    struct list revoked;

    //= P30-024
    //= P30-115
    //= P30-116
    if (me->unlinks && list_is_empty(&me->descriptors)) {
        list_init(&revoked); /* stays empty: the entry has no descriptors */
        unlink_entry(ni, me, &revoked);
    }
}

void unlink_exhausted(struct ni *ni, struct md *md)
{
    struct me *me = md->me;

    md->exhausted = true;
    detach(ni, md); //= P30-022
    if (me) {
        unlink_entry_if_empty(ni, me); //= P30-023
    }
}

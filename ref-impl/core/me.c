/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Match entries: see me.h. Chapter 3.6.
 */
#include "ref-impl/core/me.h"

#include <stdlib.h>

#include "ref-impl/core/limits.h"
#include "ref-impl/core/match_index.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"

struct me *me_enter(uint64_t handle, struct ni **ni)
{
    struct me *me;

    *ni = ni_enter(handle);
    if (!*ni) {
        return NULL;
    }
    me = handle_find(&(*ni)->objects, HANDLE_ENTRY, handle);
    if (!me) {
        ni_leave(*ni);
    }
    return me;
}

bool me_matches(const struct ni *ni, const struct me *me, const struct wire_portals_header *request)
{
    uint64_t compared = ~me->criteria.ignore_bits; //= P30-111 P30-113
    uint64_t wanted = me->criteria.match_bits;

    if (ni->config.policy->ignore_masks_both_sides) {
        wanted &= compared; //= P30-114
    }
    //= P30-006
    //= P30-007
    //= P30-105
    //= P30-112
    return core_admits(&me->criteria.process, &request->initiator) && (request->match_bits & compared) == wanted;
}

/* Makes an entry that is in no list yet; NULL without memory. */
static struct me *make(struct ni *ni, const struct me_criteria *criteria, bool unlinks)
{
    struct me *me = line_alloc(sizeof(*me));

    if (!me || !handle_insert(&ni->objects, HANDLE_ENTRY, me, &me->handle)) {
        free(me);
        return NULL; //= P30-119
    }
    *me = (struct me){.criteria = *criteria, .unlinks = unlinks, .handle = me->handle};
    list_init(&me->link);
    list_init(&me->descriptors);
    return me;
}

void me_empty(struct ni *ni, struct me *me, struct list *doomed)
{
    struct list *link;

    while ((link = list_take(&me->descriptors))) {
        md_destroy(ni, LIST_OWNER(link, struct md, link), doomed);
    }
}

void me_destroy(struct ni *ni, struct me *me, struct list *doomed)
{
    me_empty(ni, me, doomed); //= P30-130
    list_remove(&me->link);   //= P30-129 P30-131 P30-132
    me->list->count--;
    match_index_remove(me);
    handle_remove(&ni->objects, me->handle);
    free(me);
}

void me_lost_descriptor(struct ni *ni, struct me *me)
{
    struct list doomed;

    //= P30-024
    //= P30-115
    //= P30-116
    if (me->unlinks && list_is_empty(&me->descriptors)) {
        list_init(&doomed); /* stays empty: the entry has no descriptors */
        me_destroy(ni, me, &doomed);
    }
}

enum core_status me_attach(uint64_t interface, uint32_t portal, const struct me_criteria *criteria, bool unlinks,
                           uint64_t *handle)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_OK;
    struct list doomed, *link;
    struct match_list *list;
    struct me *me;

    if (!ni) {
        return CORE_BAD_INTERFACE; //= P30-121
    }
    list_init(&doomed);
    if (portal >= ni->config.portals) {
        status = CORE_BAD_PORTAL; //= P30-117
        goto leave;
    }
    me = make(ni, criteria, unlinks);
    if (!me) {
        status = CORE_NO_SPACE;
        goto leave;
    }
    list = &ni->portals[portal];
    while ((link = list_take(&list->entries))) {
        me_destroy(ni, LIST_OWNER(link, struct me, link), &doomed); //= P30-107 P30-134
    }
    me->list = list;
    list_insert_after(&list->entries, &me->link); //= P30-106
    list->count++;
    match_index_add(me);
    *handle = me->handle;
    operation_revoke(ni, &doomed);
leave:
    ni_leave(ni);
    return status;
}

enum core_status me_insert(uint64_t current_handle, bool before, const struct me_criteria *criteria, bool unlinks,
                           uint64_t *handle)
{
    struct ni *ni;
    struct me *current = me_enter(current_handle, &ni);
    enum core_status status = CORE_OK;
    struct me *me;

    if (!current) {
        return CORE_BAD_ENTRY; //= P30-125
    }
    if (current->list->count >= LIMIT_LIST) {
        status = CORE_LIST_TOO_LONG; //= P30-126
        goto leave;
    }
    me = make(ni, criteria, unlinks);
    if (!me) {
        status = CORE_NO_SPACE;
        goto leave;
    }
    me->list = current->list;
    //= P30-122
    //= P30-123
    //= P30-124
    (before ? list_insert_before : list_insert_after)(&current->link, &me->link);
    me->list->count++;
    match_index_add(me);
    *handle = me->handle;
leave:
    ni_leave(ni);
    return status;
}

enum core_status me_unlink(uint64_t handle)
{
    struct list doomed;
    struct ni *ni;
    struct me *me = me_enter(handle, &ni);

    if (!me) {
        return CORE_BAD_ENTRY; //= P30-133
    }
    list_init(&doomed);
    me_destroy(ni, me, &doomed);
    operation_revoke(ni, &doomed);
    ni_leave(ni);
    return CORE_OK;
}

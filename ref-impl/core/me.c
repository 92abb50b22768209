/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls on match entries: see me.h. Chapter 3.6.
 */
#include "ref-impl/core/me.h"

#include <stdlib.h>

#include "ref-impl/core/limits.h"
#include "ref-impl/core/matching/index.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/unlink.h"

/* Makes an entry that is in no list yet; NULL without memory. */
static struct me *make(struct ni *ni, const struct me_criteria *criteria, bool unlinks)
{
    struct me *me = malloc(sizeof(*me));

    if (!me || !handle_insert(&ni->objects, HANDLE_ENTRY, me, &me->handle)) {
        free(me);
        return NULL; //= P30-119
    }
    *me = (struct me){.criteria = *criteria, .unlinks = unlinks, .handle = me->handle};
    list_init(&me->link);
    list_init(&me->descriptors);
    return me;
}

enum core_status me_attach(uint64_t interface, uint32_t portal, const struct me_criteria *criteria, bool unlinks,
                           uint64_t *handle)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_OK;
    struct list revoked, *link;
    struct match_list *list;
    struct me *me;

    if (!ni) {
        return CORE_BAD_INTERFACE; //= P30-121
    }
    list_init(&revoked);
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
        unlink_entry(ni, LIST_OWNER(link, struct me, link), &revoked); //= P30-107 P30-134
    }
    me->list = list;
    list_insert_after(&list->entries, &me->link); //= P30-106
    list->count++;
    match_index_add(me);
    *handle = me->handle;
    operation_revoke(ni, &revoked);
leave:
    ni_leave(ni);
    return status;
}

/* Whether the interface lets a list have one more entry. */
static bool has_room(const struct ni *ni, const struct match_list *list)
{
    return list->count < (ni->config.list ? ni->config.list : LIMIT_LIST);
}

/* Makes an entry at one end of a list. */
static enum core_status append(struct ni *ni, struct match_list *list, const struct me_criteria *criteria, bool unlinks,
                               bool first, uint64_t *handle)
{
    struct me *me;

    if (!has_room(ni, list)) {
        return CORE_LIST_TOO_LONG;
    }
    me = make(ni, criteria, unlinks);
    if (!me) {
        return CORE_NO_SPACE;
    }
    me->list = list;
    (first ? list_insert_after : list_insert_before)(&list->entries, &me->link);
    list->count++;
    match_index_add(me);
    *handle = me->handle;
    return CORE_OK;
}

enum core_status me_append(uint64_t interface, uint32_t portal, const struct me_criteria *criteria, bool unlinks,
                           bool first, uint64_t *handle)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_BAD_PORTAL;

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    if (portal < ni->config.portals) {
        status = append(ni, &ni->portals[portal], criteria, unlinks, first, handle);
    }
    ni_leave(ni);
    return status;
}

enum core_status me_append_any(uint64_t interface, uint32_t *portal, const struct me_criteria *criteria, bool unlinks,
                               uint64_t *handle)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_NO_FREE_PORTAL;
    uint32_t free_portal = 0;

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    while (free_portal < ni->config.portals && ni->portals[free_portal].count > 0) {
        free_portal++;
    }
    if (free_portal < ni->config.portals) {
        status = append(ni, &ni->portals[free_portal], criteria, unlinks, false, handle);
    }
    if (status == CORE_OK) {
        *portal = free_portal;
    }
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
    if (!has_room(ni, current->list)) {
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
    struct list revoked;
    struct ni *ni;
    struct me *me = me_enter(handle, &ni);

    if (!me) {
        return CORE_BAD_ENTRY; //= P30-133
    }
    list_init(&revoked);
    unlink_entry(ni, me, &revoked);
    operation_revoke(ni, &revoked);
    ni_leave(ni);
    return CORE_OK;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls on memory descriptors: see md.h. Chapter 3.7.
 */
#include "ref-impl/core/md.h"

#include <stdlib.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/region.h"
#include "ref-impl/core/unlink.h"

/* Whether the values of a descriptor may be used in this interface. */
static bool is_legal(const struct ni *ni, const struct core_md *value)
{
    if (!value->start && value->length > 0) {
        return false; //= P30-135 P30-136
    }
    if (value->length > WIRE_PORTALS_LENGTH_MAX || value->length > UINTPTR_MAX - (uintptr_t)value->start) {
        return false; //= P30-184
    }
    if (value->threshold < 0 && value->threshold != CORE_ENDLESS) { /* 0 is legal: P30-146 P30-181 */
        return false;
    }
    if (value->options & ~ni->config.policy->options) {
        return false;
    }
    /* The handle of another interface's queue is in no table of this one. */
    return value->eventq == CORE_NONE || eq_find(ni, value->eventq); //= P30-075 P30-185
}

/* Makes a descriptor that is in no list yet. */
static enum core_status make(struct ni *ni, const struct core_md *value, bool unlinks, struct md **made)
{
    struct core_md own = *value;
    enum core_status status;
    struct region *region;
    struct md *md;

    if (!is_legal(ni, value)) {
        return CORE_ILLEGAL;
    }
    status = region_make(&own, ni->config.pieces, &region);
    if (status != CORE_OK) {
        return status;
    }
    value = &own;
    md = malloc(sizeof(*md));
    if (!md || !handle_insert(&ni->objects, HANDLE_DESCRIPTOR, md, &md->handle)) {
        free(md);
        free(region);
        return CORE_NO_SPACE; //= P30-186
    }
    //= P30-177
    *md = (struct md){.value = *value, .references = 1, .unlinks = unlinks, .handle = md->handle};
    md->region = region;
    list_init(&md->link);
    list_init(&md->writing);
    *made = md;
    return CORE_OK;
}

enum core_status md_attach(uint64_t me_handle, const struct core_md *value, bool unlinks, uint64_t *handle)
{
    enum core_status status;
    struct list revoked;
    struct ni *ni;
    struct me *me = me_enter(me_handle, &ni);
    struct md *md;

    if (!me) {
        return CORE_BAD_ENTRY; //= P30-183
    }
    list_init(&revoked);
    status = make(ni, value, unlinks, &md);
    if (status == CORE_OK) {
        unlink_all_descriptors(ni, me, &revoked); //= P30-176
        md->me = me;
        list_insert_after(&me->descriptors, &md->link); //= P30-175
        *handle = md->handle;
    }
    operation_revoke(ni, &revoked);
    ni_leave(ni);
    return status;
}

enum core_status md_attach_only(uint64_t me_handle, const struct core_md *value, bool unlinks, uint64_t *handle)
{
    enum core_status status = CORE_IN_USE;
    struct ni *ni;
    struct me *me = me_enter(me_handle, &ni);
    struct md *md;

    if (!me) {
        return CORE_BAD_ENTRY;
    }
    if (list_is_empty(&me->descriptors)) {
        status = make(ni, value, unlinks, &md);
    }
    if (status == CORE_OK) {
        md->me = me;
        list_insert_after(&me->descriptors, &md->link);
        *handle = md->handle;
    }
    ni_leave(ni);
    return status;
}

enum core_status md_insert(uint64_t current_handle, bool before, const struct core_md *value, bool unlinks,
                           uint64_t *handle)
{
    enum core_status status;
    struct ni *ni;
    struct md *current = md_enter(current_handle, &ni);
    struct md *md;

    if (!current) {
        return CORE_BAD_DESCRIPTOR; //= P30-190
    }
    if (!current->me) {
        ni_leave(ni);
        return CORE_BAD_DESCRIPTOR;
    }
    status = make(ni, value, unlinks, &md);
    if (status == CORE_OK) {
        md->me = current->me;
        //= P30-188
        //= P30-189
        (before ? list_insert_before : list_insert_after)(&current->link, &md->link);
        *handle = md->handle;
    }
    ni_leave(ni);
    return status;
}

enum core_status md_bind(uint64_t interface, const struct core_md *value, uint64_t *handle)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status;
    struct md *md;

    if (!ni) {
        return CORE_BAD_INTERFACE; //= P30-195
    }
    status = make(ni, value, false, &md); //= P30-193 P30-196
    if (status == CORE_OK) {
        *handle = md->handle;
        md->unlinks = value->unlinks_bound;
    }
    ni_leave(ni);
    return status;
}

enum core_status md_unlink(uint64_t handle)
{
    struct list revoked;
    struct ni *ni;
    struct md *md = md_enter(handle, &ni);
    struct me *me;

    if (!md) {
        return CORE_BAD_DESCRIPTOR; //= P30-200
    }
    if (ni->config.policy->unlink_waits && md_is_busy(md)) {
        ni_leave(ni);
        return CORE_IN_USE; //= GASN-028
    }
    list_init(&revoked);
    me = md->me;
    unlink_descriptor(ni, md, &revoked); //= P30-197 P30-198 P30-199
    if (me && ni->config.policy->unlink_by_call_empties_entry) {
        unlink_entry_if_empty(ni, me); //= P30-201 GASN-027
    }
    operation_revoke(ni, &revoked);
    ni_leave(ni);
    return CORE_OK;
}

/* Whether an update may take place: no test queue, or a quiet one. */
static enum core_status test(const struct ni *ni, uint64_t testq)
{
    const struct eq *eq;

    if (testq == CORE_NONE) {
        return CORE_OK; //= P30-203
    }
    eq = eq_find(ni, testq); //= P30-206
    if (!eq) {
        return CORE_BAD_QUEUE;
    }
    return eq_is_quiet(eq) ? CORE_OK : CORE_NOT_EMPTY; //= P30-204 P30-205
}

enum core_status md_update(uint64_t handle, struct core_md *old, const struct core_md *value, uint64_t testq)
{
    struct ni *ni;
    struct md *md = md_enter(handle, &ni); /* test and update under one lock: P30-209 */
    enum core_status status;
    struct core_md before;
    struct core_md own;
    struct region *region = NULL;

    if (!md) {
        return CORE_BAD_DESCRIPTOR;
    }
    before = md->value;
    status = test(ni, testq);
    if (status == CORE_OK && ni->config.policy->update_waits && md_is_busy(md)) {
        status = CORE_NOT_EMPTY;
    }
    if (status == CORE_NOT_EMPTY && !value) {
        status = CORE_OK; //= P30-207
    }
    if (status == CORE_OK && value && !is_legal(ni, value)) {
        status = CORE_ILLEGAL;
    }
    if (value && status == CORE_OK) {
        own = *value;
        own.unlinks_unfit = md->value.unlinks_unfit; /* which the call that attached it has said */
        value = &own;
        status = region_make(&own, ni->config.pieces, &region);
    }
    if (status == CORE_OK && value) {
        md->value = *value; //= P30-182 P30-203 P30-209 P30-211 P30-212
        free(md->region);   /* no operation needs it: its descriptor is not updated meanwhile */
        md->region = region;
        if (ni->config.policy->update_resets_offset) {
            md->offset = 0;
        }
    }
    if (old && (status == CORE_OK || status == CORE_NOT_EMPTY)) {
        *old = before; //= P30-202 P30-208
    }
    ni_leave(ni);
    return status;
}

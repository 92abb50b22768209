/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Opening and closing: see ni_open.h, and ni_object.h for the states. Here all kinds of objects meet, because closing
 * ends whatever there is. Chapters 3.3 and 3.5.
 */
#include "ref-impl/core/ni_open.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/limits.h"
#include "ref-impl/core/me_object.h"
#include "ref-impl/core/messages/upcalls.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/ni_table.h"
#include "ref-impl/core/operation.h"
#include "ref-impl/core/unlink.h"

/* Makes the tables of a new opening. Lock held. */
static bool tables_open(struct ni *ni)
{
    //= P30-076
    //= P30-077
    //= P30-085
    ni->portals = calloc(ni->config.portals, sizeof(*ni->portals));
    if (!ni->portals) {
        return false;
    }
    for (uint32_t i = 0; i < ni->config.portals; i++) {
        list_init(&ni->portals[i].entries);
    }
    ni->objects.most[HANDLE_ENTRY] = ni->config.entries;
    ni->objects.most[HANDLE_DESCRIPTOR] = ni->config.descriptors;
    ni->objects.most[HANDLE_QUEUE] = ni->config.queues;
    if (!acl_open(&ni->acl, ni->config.accesses, ni->config.self.gid)) {
        free(ni->portals);
        ni->portals = NULL;
        return false;
    }
    if (ni->config.policy->access_by_user) {
        acl_admit_user(&ni->acl, ni->config.uid);
    }
    operation_spare_make(ni);
    return true;
}

/* Frees everything of this opening; the NAL is closed and no call is inside. Lock held. */
static void tables_close(struct ni *ni)
{
    struct list revoked;
    uint32_t cursor;
    void *object;

    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_QUEUE, &cursor));) {
        eq_destroy(ni, object);
    }
    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_FOLLOWER, &cursor));) {
        eq_destroy(ni, object);
    }
    while (!list_is_empty(&ni->operations)) {
        operation_end(ni, LIST_OWNER(ni->operations.next, struct operation, link));
    }
    list_init(&revoked);
    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_ENTRY, &cursor));) {
        unlink_entry(ni, object, &revoked);
    }
    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_DESCRIPTOR, &cursor));) {
        unlink_descriptor(ni, object, &revoked);
    }
    eq_log_unlinked(ni); /* nowhere: the queues are gone */
    assert(list_is_empty(&revoked));
    operation_spare_free(ni);
    handle_clear(&ni->objects);
    acl_close(&ni->acl);
    free(ni->portals);
    ni->portals = NULL;
}

/* Opens the network of an interface that is NI_OPENING. Without the lock: upcalls may come at once. */
static enum core_status network_open(struct ni *ni, struct nal **nal)
{
    struct nal_config config = {.interface = ni->number, .self = ni->config.self, .group_size = ni->config.group_size};

    switch (nal_open(&config, &message_upcalls, ni, nal)) {
    case NAL_OK:
        return CORE_OK;
    case NAL_NO_MEMORY:
        return CORE_NO_SPACE;
    case NAL_NO_ROUTE:
    case NAL_NO_DEVICE:
    case NAL_NOT_NOW:
        break;
    }
    return CORE_NO_INTERFACE;
}

enum core_status ni_open(uint32_t number, const struct ni_config *config, uint64_t *handle)
{
    struct ni *ni = ni_table_at(number);
    enum core_status status = CORE_OK;
    struct nal *nal = NULL;

    if (!ni) {
        return CORE_NO_INTERFACE; //= P30-079
    }
    lock_take(&ni->lock);
    if (ni->state != NI_CLOSED) {
        status = CORE_DUPLICATE; //= P30-078
        goto unlock;
    }
    ni->config = *config;
    if (!tables_open(ni)) {
        status = CORE_NO_SPACE; //= P30-082
        goto unlock;
    }
    ni->state = NI_OPENING;
    lock_give(&ni->lock);
    status = network_open(ni, &nal);
    lock_take(&ni->lock);
    if (status != CORE_OK) {
        tables_close(ni);
        ni->state = NI_CLOSED;
        goto unlock;
    }
    ni->nal = nal;
    ni->handle = handle_make(HANDLE_INTERFACE, number, ++ni->openings, 0);
    ni->state = NI_OPEN;
    *handle = ni->handle;
unlock:
    lock_give(&ni->lock);
    return status;
}

enum core_status ni_reopen(uint32_t number, struct ni_config *config, uint64_t *handle)
{
    struct ni *ni = ni_enter(handle_make(HANDLE_INTERFACE, number, 0, 0));

    if (!ni) {
        return CORE_NO_INTERFACE;
    }
    *config = ni->config;
    *handle = ni->handle;
    ni_leave(ni);
    return CORE_OK;
}

/* Closes an interface that the caller has entered; it has left when this returns. */
static void close_entered(struct ni *ni)
{
    struct nal *nal = ni->nal;
    uint32_t cursor = 0;
    struct eq *eq;

    ni->state = NI_CLOSING;
    while ((eq = handle_next(&ni->objects, HANDLE_QUEUE, &cursor))) {
        gate_tell_all(&eq->logged);
    }
    cursor = 0;
    while ((eq = handle_next(&ni->objects, HANDLE_FOLLOWER, &cursor))) {
        gate_tell_all(&eq->logged);
    }
    gate_tell_all(&ni->barrier.arrived);
    while (ni->users > 1) {
        lock_wait(&ni->lock, &ni->left);
    }
    lock_give(&ni->lock);
    nal_close(nal); //= P30-089
    lock_take(&ni->lock);
    tables_close(ni);
    ni->nal = NULL;
    ni->dropped = 0; //= P30-086
    ni->users = 0;
    ni->state = NI_CLOSED;
    lock_give(&ni->lock);
}

enum core_status ni_close(uint64_t handle)
{
    struct ni *ni = ni_enter_interface(handle);

    if (!ni) {
        return CORE_BAD_INTERFACE; //= P30-088
    }
    close_entered(ni); //= P30-087
    return CORE_OK;
}

bool ni_any_open(void)
{
    bool open = false;

    for (uint32_t i = 0; i < LIMIT_INTERFACES && !open; i++) {
        struct ni *ni = ni_enter(handle_make(HANDLE_INTERFACE, i, 0, 0));

        if (ni) {
            open = true;
            ni_leave(ni);
        }
    }
    return open;
}

void ni_close_all(void)
{
    for (uint32_t i = 0; i < LIMIT_INTERFACES; i++) {
        struct ni *ni = ni_enter(handle_make(HANDLE_INTERFACE, i, 0, 0));

        if (ni) {
            close_entered(ni);
        }
    }
}

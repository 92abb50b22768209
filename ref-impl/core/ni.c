/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Calls on an interface: see ni.h. Chapters 3.5 and 3.2.7.
 */
#include "ref-impl/core/ni.h"

#include "ref-impl/core/ni_table.h"

struct ni *ni_enter(uint64_t handle)
{
    struct ni *ni = ni_table_at(handle_interface(handle));

    if (!ni) {
        return NULL;
    }
    lock_take(&ni->lock);
    if (ni->state != NI_OPEN) {
        lock_give(&ni->lock);
        return NULL;
    }
    ni->users++;
    return ni;
}

void ni_leave(struct ni *ni)
{
    ni->users--;
    if (ni->state == NI_CLOSING) {
        pthread_cond_broadcast(&ni->left);
    }
    lock_give(&ni->lock);
}

struct ni *ni_enter_interface(uint64_t handle)
{
    struct ni *ni = ni_enter(handle);

    if (ni && ni->handle != handle) {
        ni_leave(ni);
        return NULL;
    }
    return ni;
}

enum core_status ni_dropped(uint64_t handle, int64_t *count)
{
    struct ni *ni = ni_enter_interface(handle);

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    *count = ni->dropped; //= P30-092 P30-093
    ni_leave(ni);
    return CORE_OK;
}

enum core_status ni_distance(uint64_t handle, const struct wire_portals_id *process, double *distance)
{
    struct ni *ni = ni_enter_interface(handle);

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    lock_give(&ni->lock);
    *distance = nal_distance(ni->nal, process); //= P30-097 P30-098
    lock_take(&ni->lock);
    ni_leave(ni);
    return CORE_OK;
}

enum core_status ni_is_open(uint64_t handle)
{
    struct ni *ni = ni_enter_interface(handle);

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    ni_leave(ni);
    return CORE_OK;
}

enum core_status ni_owner(uint64_t handle, uint64_t *owner)
{
    struct ni *ni = ni_enter(handle);
    bool lives;

    if (!ni) {
        return CORE_BAD_HANDLE;
    }
    lives = handle == ni->handle || handle_find(&ni->objects, HANDLE_ENTRY, handle) ||
            handle_find(&ni->objects, HANDLE_DESCRIPTOR, handle) || handle_find(&ni->objects, HANDLE_QUEUE, handle);
    if (lives) {
        *owner = ni->handle; //= P30-101 P30-102
    }
    ni_leave(ni);
    return lives ? CORE_OK : CORE_BAD_HANDLE; //= P30-103
}

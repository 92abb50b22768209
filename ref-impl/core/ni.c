/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Network interfaces: see ni.h for what belongs to one and how it is locked. Chapters 3.5 and 3.2.7.
 */
#include "ref-impl/core/ni.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/eq.h"
#include "ref-impl/core/limits.h"
#include "ref-impl/core/md.h"
#include "ref-impl/core/me.h"
#include "ref-impl/core/message.h"
#include "ref-impl/core/operation.h"

//= P30-037
//= P30-074
static struct ni interfaces[LIMIT_INTERFACES];
static pthread_once_t interfaces_once = PTHREAD_ONCE_INIT;

struct ni_process {
    struct ni only; /* its interface 0 */
};

/* For whom the calling thread acts; NULL: for the process that it really is in. */
static _Thread_local struct ni_process *acting;

static void interface_init(struct ni *ni, uint32_t number)
{
    pthread_mutex_init(&ni->lock, NULL);
    pthread_cond_init(&ni->left, NULL);
    ni->number = number;
    barrier_init(&ni->barrier);
    ni->objects.interface = number;
    list_init(&ni->operations);
}

static void interfaces_init(void)
{
    for (uint32_t i = 0; i < LIMIT_INTERFACES; i++) {
        interface_init(&interfaces[i], i);
    }
}

static struct ni *interface_numbered(uint32_t number)
{
    if (acting) {
        return number == 0 ? &acting->only : NULL;
    }
    pthread_once(&interfaces_once, interfaces_init);
    return number < LIMIT_INTERFACES ? &interfaces[number] : NULL;
}

struct ni_process *ni_process_new(void)
{
    struct ni_process *process = aligned_alloc(_Alignof(struct ni_process), sizeof(*process));

    if (process) {
        *process = (struct ni_process){.only = {.state = NI_CLOSED}};
        interface_init(&process->only, 0);
    }
    return process;
}

void ni_process_free(struct ni_process *process)
{
    assert(process != acting && process->only.state == NI_CLOSED);
    pthread_cond_destroy(&process->only.barrier.arrived);
    pthread_cond_destroy(&process->only.left);
    pthread_mutex_destroy(&process->only.lock);
    free(process);
}

void ni_process_become(struct ni_process *process)
{
    acting = process;
}

struct ni *ni_enter(uint64_t handle)
{
    struct ni *ni = interface_numbered(handle_interface(handle));

    if (!ni) {
        return NULL;
    }
    ni_lock(ni);
    if (ni->state != NI_OPEN) {
        pthread_mutex_unlock(&ni->lock);
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
    pthread_mutex_unlock(&ni->lock);
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

void ni_drop(struct ni *ni)
{
    //= P30-321
    ni->dropped++;
}

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
    if (!acl_open(&ni->acl, ni->config.accesses, ni->config.self.gid)) {
        free(ni->portals);
        ni->portals = NULL;
        return false;
    }
    return true;
}

/* Frees everything of this opening; the NAL is closed and no call is inside. Lock held. */
static void tables_close(struct ni *ni)
{
    struct list doomed;
    uint32_t cursor;
    void *object;

    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_QUEUE, &cursor));) {
        eq_destroy(ni, object);
    }
    while (!list_is_empty(&ni->operations)) {
        operation_end(LIST_OWNER(ni->operations.next, struct operation, link));
    }
    list_init(&doomed);
    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_ENTRY, &cursor));) {
        me_destroy(ni, object, &doomed);
    }
    for (cursor = 0; (object = handle_next(&ni->objects, HANDLE_DESCRIPTOR, &cursor));) {
        md_destroy(ni, object, &doomed);
    }
    assert(list_is_empty(&doomed));
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
        break;
    }
    return CORE_NO_INTERFACE;
}

enum core_status ni_open(uint32_t number, const struct ni_config *config, uint64_t *handle)
{
    struct ni *ni = interface_numbered(number);
    enum core_status status = CORE_OK;
    struct nal *nal = NULL;

    if (!ni) {
        return CORE_NO_INTERFACE; //= P30-079
    }
    pthread_mutex_lock(&ni->lock);
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
    pthread_mutex_unlock(&ni->lock);
    status = network_open(ni, &nal);
    pthread_mutex_lock(&ni->lock);
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
    pthread_mutex_unlock(&ni->lock);
    return status;
}

/* Closes an interface that the caller has entered; it has left when this returns. */
static void close_entered(struct ni *ni)
{
    struct nal *nal = ni->nal;
    uint32_t cursor = 0;
    struct eq *eq;

    ni->state = NI_CLOSING;
    while ((eq = handle_next(&ni->objects, HANDLE_QUEUE, &cursor))) {
        pthread_cond_broadcast(&eq->logged);
    }
    pthread_cond_broadcast(&ni->barrier.arrived);
    while (ni->users > 1) {
        pthread_cond_wait(&ni->left, &ni->lock);
    }
    pthread_mutex_unlock(&ni->lock);
    nal_close(nal); //= P30-089
    pthread_mutex_lock(&ni->lock);
    tables_close(ni);
    ni->nal = NULL;
    ni->dropped = 0; //= P30-086
    ni->users = 0;
    ni->state = NI_CLOSED;
    pthread_mutex_unlock(&ni->lock);
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

void ni_close_all(void)
{
    for (uint32_t i = 0; i < LIMIT_INTERFACES; i++) {
        struct ni *ni = ni_enter(handle_make(HANDLE_INTERFACE, i, 0, 0));

        if (ni) {
            close_entered(ni);
        }
    }
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
    pthread_mutex_unlock(&ni->lock);
    *distance = nal_distance(ni->nal, process); //= P30-097 P30-098
    pthread_mutex_lock(&ni->lock);
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

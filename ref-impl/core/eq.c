/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues: see eq.h for the ring and its reservations. Chapter 3.8.
 */
#include "ref-impl/core/eq.h"

#include <assert.h>
#include <stdlib.h>

#include "ref-impl/core/limits.h"
#include "ref-impl/core/md_object.h"
#include "ref-impl/core/ni.h"
#include "ref-impl/core/operation.h"

/* Chains of operations under way: no more for however long a queue. */
enum { CHAINS_MAX = 1 << 16 };

static_assert(LIMIT_EVENTS <= UINT32_MAX, "events can be counted");
static_assert(_Alignof(struct eq_slot) <= _Alignof(struct list), "the ring may stand behind the chains");

struct eq *eq_find(const struct ni *ni, uint64_t handle)
{
    enum handle_kind kind = handle_kind_of(handle) == HANDLE_FOLLOWER ? HANDLE_FOLLOWER : HANDLE_QUEUE;

    return handle_find(&ni->objects, kind, handle);
}

bool eq_has_room(const struct eq *eq)
{
    if (eq->overwrites) {
        return true;
    }
    return eq->count + eq->reserved_count < eq->capacity; //= P30-236
}

bool eq_is_quiet(const struct eq *eq)
{
    return eq->count == 0 && eq->reserved_count == 0 && eq->sending == 0; //= P30-204 P30-209
}

/* The slot that is so many behind the first one, up to a whole round. */
static uint32_t slot_behind(const struct eq *eq, uint32_t count)
{
    return count < eq->capacity - eq->first ? eq->first + count : count - (eq->capacity - eq->first);
}

/* Where the next event is best made: in its slot, where it then stays, or else in `here`. */
static struct core_event *place_of_next(struct eq *eq, struct core_event *here)
{
    return eq->count < eq->capacity ? &eq->ring[slot_behind(eq, eq->count)].event : here;
}

/* Puts an event behind the last one. There is room. */
static void append(struct eq *eq, const struct core_event *event)
{
    struct eq_slot *slot = &eq->ring[slot_behind(eq, eq->count)]; //= P30-245

    if (event != &slot->event) {
        slot->event = *event;
    }
    slot->event.sequence = ++eq->sequence;
    slot->after_gap = eq->gap;
    eq->gap = false;
    eq->count++;
    gate_tell(&eq->logged);
}

/* Puts an event in the place of the oldest one. The next one to be taken says that there is a gap. */
static void overwrite(struct eq *eq, const struct core_event *event)
{
    eq->first = slot_behind(eq, 1);
    eq->count--;
    append(eq, event);
    eq->ring[eq->first].after_gap = true;
}

/* The ring with which a queue was made, behind its chains. */
static struct eq_slot *first_ring(struct eq *eq)
{
    return (struct eq_slot *)(void *)(eq->reserved + eq->reserved_mask + 1);
}

/* Frees the ring of a follower that has outgrown its first one. */
static void free_grown(struct eq *eq)
{
    if (eq->ring != first_ring(eq)) {
        free(eq->ring);
    }
}

/* Doubles the ring of a follower; without memory it stays as it is. */
static void grow(struct eq *eq)
{
    struct eq_slot *ring = eq->capacity <= LIMIT_EVENTS / 2 ? calloc(2 * (size_t)eq->capacity, sizeof(*ring)) : NULL;

    if (!ring) {
        return;
    }
    for (uint32_t i = 0; i < eq->count; i++) {
        ring[i] = eq->ring[slot_behind(eq, i)];
    }
    free_grown(eq);
    eq->ring = ring;
    eq->capacity *= 2;
    eq->first = 0;
}

void eq_log(struct eq *eq, const struct core_event *event)
{
    if (eq->leader && eq->count == eq->capacity) {
        grow(eq);
    }
    if (eq->count == eq->capacity && eq->overwrites) {
        overwrite(eq, event);
    } else if (eq_has_room(eq)) {
        append(eq, event);
    } else {
        eq->gap = true; //= P30-246
    }
    if (eq->follower) {
        eq_log(eq->follower, event);
    }
}

void eq_log_unlinked(struct ni *ni)
{
    struct list *link;

    while ((link = list_take(&ni->unlinked))) {
        struct md *md = LIST_OWNER(link, struct md, link);
        struct eq *eq = eq_find(ni, md->value.eventq);
        struct core_event event = {
            .kind = CORE_EVENT_UNLINK,
            .initiator = ni->config.self,
            .uid = ni->config.uid,
            .link = md->last,
            .descriptor = md->handle,
            .md = md->value,
        };

        if (eq && ni->config.policy->logs_both_ends) {
            eq_log(eq, &event);
        }
        md_free(md);
    }
}

/* The chain of the peer from which an operation came, and of a few others. Processes of one node, whose ids are mostly
 * consecutive, have different ones. */
static struct list *chain_of(struct eq *eq, const struct operation *operation)
{
    const struct wire_portals_id *peer = &operation->request.initiator;
    uint64_t node = peer->nid * 0x9e3779b97f4a7c15u >> 32;

    return &eq->reserved[(node + peer->pid) & eq->reserved_mask];
}

void eq_reserve(struct eq *eq, struct operation *operation)
{
    struct list *chain;

    assert(eq_has_room(eq));
    operation->queue = eq;
    if (operation->passes) {
        return; /* nothing can come between */
    }
    chain = chain_of(eq, operation);
    eq->reserved_count++;
    list_remove(&operation->link);
    if (!chain->next) {
        list_init(chain);
    }
    list_insert_before(chain, &operation->link);
}

/* Logs the event of an operation that is done, if it has one, and ends it. */
static void finish(struct ni *ni, struct eq *eq, struct operation *operation)
{
    operation->queue = NULL;
    if (operation->outcome == OPERATION_SUCCEEDED) {
        struct core_event here, *event = place_of_next(eq, &here);

        operation_describe(ni, operation, event);
        eq_log(eq, event);
        operation->md->last = eq->sequence;
    }
    operation_end(ni, operation);
}

/* Gives back the reservation of an operation that is done. */
static void unreserve(struct eq *eq, struct operation *operation)
{
    list_remove(&operation->link);
    eq->reserved_count--;
}

static struct operation *reserved_at(struct list *link)
{
    return LIST_OWNER(link, struct operation, link);
}

/* Whether an earlier operation of the same peer is still under way. Looks at all of its chain that are: few, unless the
 * peer does not read its answers, and then no more than the network lets it leave unread. */
static bool must_wait(struct eq *eq, struct operation *operation)
{
    const struct list *chain = chain_of(eq, operation);

    for (struct list *at = operation->link.previous; at != chain; at = at->previous) {
        if (operation_same_peer(reserved_at(at), operation)) {
            return true;
        }
    }
    return false;
}

void eq_settle(struct ni *ni, struct operation *operation, bool log)
{
    struct wire_portals_id peer;
    struct eq *eq = operation->queue;
    struct list *at, *next, *chain;

    operation->outcome = log ? OPERATION_SUCCEEDED : OPERATION_FAILED;
    if (!eq) {
        operation_end(ni, operation);
        return;
    }
    if (operation->passes) {
        finish(ni, eq, operation);
        return;
    }
    if (must_wait(eq, operation)) {
        return;
    }
    peer = operation->request.initiator; /* the operation itself may be gone soon */
    chain = chain_of(eq, operation);
    //= P30-002
    for (at = &operation->link; at != chain; at = next) {
        next = at->next;
        if (!operation_from_peer(reserved_at(at), &peer)) {
            continue;
        }
        if (reserved_at(at)->outcome == OPERATION_UNDER_WAY) {
            break;
        }
        unreserve(eq, reserved_at(at));
        finish(ni, eq, reserved_at(at));
    }
}

/* Takes the oldest event out. There is one. */
static enum core_status take(struct eq *eq, struct core_event *event)
{
    struct eq_slot *slot = &eq->ring[eq->first];

    *event = slot->event;
    eq->count--;
    eq->first = eq->count > 0 ? slot_behind(eq, 1) : 0;    //= P30-244
    return slot->after_gap ? CORE_EVENT_AND_GAP : CORE_OK; //= P30-246 P30-247 P30-252
}

/* How many chains a queue has. */
static uint32_t chains_for(uint32_t count)
{
    uint32_t chains = 1;

    while (chains < count && chains < CHAINS_MAX) {
        chains *= 2;
    }
    return chains;
}

/* Makes a queue; NULL without memory. Of a long one the system gives no more memory than is used: a chain of zeros has
 * not been used yet. */
static struct eq *make(uint32_t count)
{
    uint32_t chains = chains_for(count);
    struct eq *eq = calloc(1, sizeof(*eq) + chains * sizeof(*eq->reserved) + count * sizeof(*eq->ring));

    if (!eq) {
        return NULL;
    }
    *eq = (struct eq){.capacity = count, .reserved_mask = chains - 1}; //= P30-236
    eq->ring = first_ring(eq);
    return eq;
}

/* Makes a queue of an interface; NULL without memory or place. */
static struct eq *add(struct ni *ni, enum handle_kind kind, uint32_t count)
{
    struct eq *eq = make(count);

    if (!eq) {
        return NULL;
    }
    if (!handle_insert(&ni->objects, kind, eq, &eq->handle)) {
        free(eq);
        return NULL;
    }
    gate_init(&eq->logged, &ni->lock, &ni->nal);
    eq->overwrites = !ni->config.policy->full_queue_rejects;
    return eq;
}

enum core_status eq_alloc(uint64_t interface, uint64_t count, uint64_t *handle)
{
    struct ni *ni = ni_enter_interface(interface);
    enum core_status status = CORE_NO_SPACE;
    struct eq *eq;

    if (!ni) {
        return CORE_BAD_INTERFACE;
    }
    if (count == 0 || count > LIMIT_EVENTS) {
        goto leave;
    }
    eq = add(ni, HANDLE_QUEUE, (uint32_t)count);
    if (!eq) {
        goto leave;
    }
    *handle = eq->handle;
    status = CORE_OK;
leave:
    ni_leave(ni);
    return status;
}

/* Frees a queue that is freed and that nobody waits for any more. */
static void release(struct eq *eq)
{
    if (eq->freed && eq->waiters == 0) {
        gate_destroy(&eq->logged);
        free_grown(eq);
        free(eq);
    }
}

/* Lets the operations of a chain that have a slot in a queue go on without it. */
static void forget_reserved(struct ni *ni, struct list *chain)
{
    struct list *link;

    while (chain->next && (link = list_take(chain))) {
        struct operation *operation = reserved_at(link);

        operation->queue = NULL;
        if (operation->outcome == OPERATION_UNDER_WAY) {
            list_insert_before(&ni->operations, link);
        } else {
            operation_end(ni, operation);
        }
    }
}

void eq_destroy(struct ni *ni, struct eq *eq)
{
    if (eq->reserved_count > 0) {
        for (uint32_t i = 0; i <= eq->reserved_mask; i++) {
            forget_reserved(ni, &eq->reserved[i]);
        }
    }
    if (eq->leader) {
        eq->leader->follower = NULL;
    }
    if (eq->follower) {
        eq->follower->leader = NULL;
        gate_tell_all(&eq->follower->logged);
    }
    handle_remove(&ni->objects, eq->handle);
    eq->freed = true;
    gate_tell_all(&eq->logged);
    release(eq);
}

/* Enters the interface of a living queue; NULL, and nothing to leave, when the handle names none. */
static struct eq *enter(uint64_t handle, struct ni **ni)
{
    struct eq *eq;

    *ni = ni_enter(handle);
    if (!*ni) {
        return NULL;
    }
    eq = eq_find(*ni, handle);
    if (!eq) {
        ni_leave(*ni);
    }
    return eq;
}

enum core_status eq_free(uint64_t handle)
{
    struct ni *ni;
    struct eq *eq = enter(handle, &ni);

    if (!eq) {
        return CORE_BAD_QUEUE;
    }
    eq_destroy(ni, eq); //= P30-238
    ni_leave(ni);
    return CORE_OK;
}

enum core_status eq_follow(uint64_t leader_handle, uint64_t *follower)
{
    struct ni *ni;
    struct eq *leader = enter(leader_handle, &ni);
    enum core_status status = CORE_NO_SPACE;
    struct eq *eq;

    if (!leader) {
        return CORE_BAD_QUEUE;
    }
    eq = add(ni, HANDLE_FOLLOWER, leader->capacity);
    if (eq) {
        eq->leader = leader;
        leader->follower = eq;
        *follower = eq->handle;
        status = CORE_OK;
    }
    ni_leave(ni);
    return status;
}

enum core_status eq_count(uint64_t handle, uint64_t *count)
{
    struct ni *ni;
    struct eq *eq = enter(handle, &ni);

    if (!eq) {
        return CORE_BAD_QUEUE;
    }
    *count = eq->count; //= P30-240 P30-241
    ni_leave(ni);
    return CORE_OK;
}

enum core_status eq_get(uint64_t handle, struct core_event *event)
{
    struct ni *ni;
    struct eq *eq = enter(handle, &ni);
    enum core_status status;

    if (!eq) {
        return CORE_BAD_QUEUE;
    }
    if (eq->count == 0) {
        gate_poll(&eq->logged);
        eq = ni->state == NI_OPEN ? eq_find(ni, handle) : NULL;
    }
    if (!eq) {
        status = CORE_BAD_QUEUE; /* it has gone meanwhile */
    } else {
        status = eq->count ? take(eq, event) : CORE_EMPTY; //= P30-243
    }
    ni_leave(ni);
    return status;
}

/* Whether an event may still come: a follower whose leader is gone has those that are in it. */
static bool may_come(const struct eq *eq)
{
    return handle_kind_of(eq->handle) == HANDLE_QUEUE || eq->leader;
}

enum core_status eq_wait(uint64_t handle, struct core_event *event)
{
    struct ni *ni;
    struct eq *eq = enter(handle, &ni);
    enum core_status status = CORE_BAD_QUEUE;
    bool first = true;

    if (!eq) {
        return CORE_BAD_QUEUE;
    }
    eq->waiters++;
    while (eq->count == 0 && may_come(eq) && !eq->freed && ni->state == NI_OPEN) { //= P30-249 P30-251
        gate_await(&eq->logged, first);
        first = false;
    }
    eq->waiters--;
    if (eq->count > 0 && !eq->freed && ni->state == NI_OPEN) {
        status = take(eq, event); //= P30-250
    }
    release(eq);
    ni_leave(ni);
    return status;
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Event queues: rings of events with room kept for those that are about to come (chapter 3.8).
 *
 *      +---+---+---+---+---+---+---+---+
 *      |   | E | E | E | r | r |   |   |      E: logged, `count` of them; the first is the next to be taken
 *      +---+---+---+---+---+---+---+---+      r: reserved for accepted requests that are under way
 *            first
 *
 * An empty ring begins anew at its start: a queue that is read in time uses few of its slots, whose memory the cache
 * still holds.
 *
 * A request is accepted only if its event has room (4.2). That is decided when its header arrives, so the room is
 * reserved then and used when the operation is done. The events of one peer are logged in the order in which its
 * requests came (1.4), however long each takes: an operation that is done waits for the earlier ones of its peer. Peers
 * are kept apart by a hash, so that thousands of them do not have to be looked through for one.
 *
 * A SENT event cannot be refused, since nobody is asked whether the put may end. If it finds no room it is lost, and
 * the next event that is logged says that there is a gap before it.
 */
#ifndef REF_IMPL_CORE_EQ_H
#define REF_IMPL_CORE_EQ_H

#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/gate.h"
#include "ref-impl/core/list.h"
#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"

struct ni;
struct operation;

struct eq_slot {
    bool after_gap;
    struct core_event event;
};

/* Where the policy does not reject requests, an event that finds no room takes the place of the oldest one instead, and
 * the one that has become the oldest says that there is a gap before it.
 *
 * struct eq is guarded by the lock of its interface. Ring and chains are one piece of memory with it, until a follower
 * outgrows its ring. */
struct eq {
    uint64_t handle;
    struct eq_slot *ring;
    uint32_t capacity;
    uint32_t first, count;
    bool gap;          /* an event was lost since the last one that was logged */
    bool overwrites;   /* an event that finds no room takes the place of the oldest one */
    uint64_t sequence; /* events that were ever logged */

    struct eq *follower, *leader; /* eq_follow; else NULL */

    struct gate logged; /* for the waiters */
    unsigned waiters;
    bool freed; /* only those who still wait hold it */

    uint32_t sending; /* puts under way whose SENT events will come here */
    uint32_t reserved_count;
    uint32_t reserved_mask; /* number of chains, a power of 2, less 1 */
    /* struct operation, one reserved slot each: chains by peer, in order of arrival. Zeros: the chain was never used */
    struct list reserved[];
};

/* eq_alloc - makes a queue for `count` events. CORE_BAD_INTERFACE; CORE_NO_SPACE, also for 0 or more than LIMIT_EVENTS.
 */
CORE_MUST_USE enum core_status eq_alloc(uint64_t interface, uint64_t count, uint64_t *handle);

/* eq_follow - makes a queue that gets each event of `leader` too, and grows as long as there is memory, up to
 * LIMIT_EVENTS, before it loses one. It is destroyed by itself; once its leader is gone and it is empty, nobody waits
 * for it in vain. CORE_BAD_QUEUE, CORE_NO_SPACE. */
CORE_MUST_USE enum core_status eq_follow(uint64_t leader, uint64_t *follower);

/* eq_free - destroys a queue and wakes those who wait for it. CORE_BAD_QUEUE. */
CORE_MUST_USE enum core_status eq_free(uint64_t handle);

/* eq_count - stores the number of events that can be taken. CORE_BAD_QUEUE. */
CORE_MUST_USE enum core_status eq_count(uint64_t handle, uint64_t *count);

/* eq_get - takes the oldest event; where there is none, does what has come over the network and looks again.
 * CORE_EVENT_AND_GAP is success too; CORE_EMPTY, CORE_BAD_QUEUE. */
CORE_MUST_USE enum core_status eq_get(uint64_t handle, struct core_event *event);

/* eq_wait - takes the oldest event; waits for an event. CORE_BAD_QUEUE also when the queue or its interface goes
 * meanwhile. */
CORE_MUST_USE enum core_status eq_wait(uint64_t handle, struct core_event *event);

/* The rest is for the core, with the lock held. */

/* eq_find - the living queue of that handle, or NULL. */
struct eq *eq_find(const struct ni *ni, uint64_t handle);

/* eq_has_room - whether one more event could be logged or reserved; always where older ones give way. */
bool eq_has_room(const struct eq *eq);

/* eq_is_quiet - whether the queue holds no event and none is about to come from an operation under way. */
bool eq_is_quiet(const struct eq *eq);

/* eq_reserve - keeps room for the event of `operation`, in its peer's order. There must be room. */
void eq_reserve(struct eq *eq, struct operation *operation);

/* eq_settle - `operation`, which may or may not hold a reservation, is done: its event is logged (`log`), or
 * its reservation is given back. The operation ends, now or when its peer's earlier ones have. */
void eq_settle(struct ni *ni, struct operation *operation, bool log);

/* eq_log - logs an event without reservation; without room it is lost and marked as a gap. */
void eq_log(struct eq *eq, const struct core_event *event);

/* eq_log_unlinked - logs that the library has unlinked descriptors, where the policy wants that and all operations on
 * them have ended. Whoever has ended an operation or spent a threshold calls it before the lock is given back. */
void eq_log_unlinked(struct ni *ni);

/* eq_destroy - frees a queue of which the interface has no more use. */
void eq_destroy(struct ni *ni, struct eq *eq);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Network interfaces: what belongs to one, its lock, its opening and closing (chapters 3.5 and 3.2.7).
 *
 * There are LIMIT_INTERFACES interfaces; they share nothing. Each has one lock, which guards everything that belongs to
 * it: tables, objects, lists, counters, operations. Locks:
 *
 *   - A thread holds the lock of at most one interface, and calls into the NAL only without it. The NAL
 *     holds none of its own locks when it calls up (nal.h). So there is no lock order to get wrong.
 *   - The locks live as long as the process. A call enters an interface by the number in its handle (ni_enter), finds
 * out under the lock whether the interface is still the one that the handle means, and leaves it (ni_leave).
 *   - ni_close waits until all calls that have entered are gone, having woken those that sleep. So a call may
 *     release the lock in between, to call the NAL or to wait, and finds the interface still there.
 *
 *              ni_open                      ni_open done                 ni_close
 *     CLOSED -----------> OPENING ------------------> OPEN -----------> CLOSING ----+
 *        ^                   | network refuses                                      |
 *        +-------------------+<-----------------------------------------------------+
 */
#ifndef REF_IMPL_CORE_NI_H
#define REF_IMPL_CORE_NI_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/acl.h"
#include "ref-impl/core/barrier.h"
#include "ref-impl/core/handle.h"
#include "ref-impl/core/line.h"
#include "ref-impl/core/list.h"
#include "ref-impl/core/policy.h"
#include "ref-impl/core/status.h"
#include "ref-impl/core/types.h"
#include "ref-impl/nal/nal.h"

struct match_list;

/* struct ni_config is what an interface is opened with. `member` finds a process of the group by its rank; it must not
 * block. The policy outlives the interface. */
struct ni_config {
    const struct policy *policy;
    uint32_t portals;  /* entries of the portal table, at least 1 */
    uint32_t accesses; /* entries of the access control table, at least 2 */
    struct wire_portals_id self;
    uint32_t group_size;
    bool (*member)(uint32_t gid, uint32_t rid, struct wire_portals_id *id);
};

enum ni_state { NI_CLOSED, NI_OPENING, NI_OPEN, NI_CLOSING };

/* The first three lines hold what every message needs; a target needs the next one too, and what opening, closing and
 * the barrier need stands behind. */
struct ni {
    _Alignas(LINE_OCTETS) pthread_mutex_t lock;

    /* These are of one opening, but for the table of handles, whose generations go on. */
    enum ni_state state;
    unsigned users; /* calls that have entered */
    struct nal *nal;
    uint64_t handle;
    struct list operations; /* struct operation, those without a slot in a queue */
    struct ni_config config;
    struct handle_table objects; /* entries, descriptors, queues */
    struct match_list *portals;  /* config.portals of them */
    struct acl acl;

    /* These live as long as the process. */
    int64_t dropped; /* messages discarded since PtlInit or the last closing */
    uint32_t number;
    uint64_t openings;      /* how often this interface was opened: the generation of its handle */
    pthread_cond_t left;    /* a call left while the interface is closing */
    struct barrier barrier; /* counts on over re-openings, as all members of the group do */
};

/* ni_open opens interface `number` and stores its handle. CORE_NO_INTERFACE: no such number, or the network
 * refused and said so on stderr. CORE_DUPLICATE: it is open. CORE_NO_SPACE. */
CORE_MUST_USE enum core_status ni_open(uint32_t number, const struct ni_config *config, uint64_t *handle);

/* ni_close closes it. When it returns all its objects are gone, sleeping calls have returned, and the network touches
 * nothing of the process any more. Never waits for a peer beyond the NAL's bounded flush. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_close(uint64_t handle);

/* ni_close_all closes whatever is open. */
void ni_close_all(void);

/* ni_dropped stores how many messages the interface has discarded. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_dropped(uint64_t handle, int64_t *count);

/* ni_distance stores the network's measure to a process. CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_distance(uint64_t handle, const struct wire_portals_id *process, double *distance);

/* ni_is_open says whether the handle is that of an open interface. CORE_OK, CORE_BAD_INTERFACE. */
CORE_MUST_USE enum core_status ni_is_open(uint64_t handle);

/* ni_owner stores the handle of the interface that a living object of any kind belongs to. CORE_BAD_HANDLE. */
CORE_MUST_USE enum core_status ni_owner(uint64_t handle, uint64_t *owner);

/* ni_enter locks the interface that a handle of any kind names and keeps it from closing; NULL, and nothing to leave,
 * when it is not open. The object itself may not exist. */
struct ni *ni_enter(uint64_t handle);

/* ni_enter_interface is ni_enter for the handle of the interface itself: NULL when it is not exactly that. */
struct ni *ni_enter_interface(uint64_t handle);

/* ni_leave unlocks it again. */
void ni_leave(struct ni *ni);

/* ni_lock locks an interface, open or not. Locking waits for the line of the lock and lets nothing overtake it, so the
 * two lines that are needed next are asked for before. */
static inline void ni_lock(struct ni *ni)
{
    __builtin_prefetch(&ni->operations);
    __builtin_prefetch(&ni->objects);
    pthread_mutex_lock(&ni->lock);
}

/* ni_drop counts one discarded message. Lock held. */
void ni_drop(struct ni *ni);

/* struct ni_process is a process of a job that is simulated within one process of the system. It has interface 0 and
 * shares nothing with the others, its handles included, which mean something to itself only. */
struct ni_process;

/* ni_process_new makes one whose interface is closed; NULL without memory. ni_process_free ends one whose interface is
 * closed and for which no thread acts. */
struct ni_process *ni_process_new(void);
void ni_process_free(struct ni_process *process);

/* ni_process_become says for whom the calling thread acts from now on, as far as the core goes; NULL: for the process
 * that it is in. Upcalls of a NAL bring their interface with them and need no such word. */
void ni_process_become(struct ni_process *process);

#endif

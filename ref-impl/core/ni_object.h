/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Network interfaces: what belongs to one, and its lock (chapters 3.5 and 3.2.7).
 *
 * There are LIMIT_INTERFACES interfaces; they share nothing. Each has one lock, which guards everything that belongs to
 * it: tables, objects, lists, counters, operations.
 *
 *   - A thread holds the lock of at most one interface, and calls into the NAL only without it. The NAL holds none of
 *     its own locks when it calls up (nal.h). So there is no lock order to get wrong.
 *   - The locks live as long as the process. A call enters an interface by the number in its handle (ni_enter), finds
 *     out under the lock whether the interface is still the one that the handle means, and leaves it (ni_leave).
 *   - ni_close waits until all calls that have entered are gone, having woken those that sleep. So a call may release
 *     the lock in between, to call the NAL or to wait, and finds the interface still there.
 *
 *              ni_open                      ni_open done                 ni_close
 *     CLOSED -----------> OPENING ------------------> OPEN -----------> CLOSING ----+
 *        ^                   | network refuses                                      |
 *        +-------------------+<-----------------------------------------------------+
 */
#ifndef REF_IMPL_CORE_NI_OBJECT_H
#define REF_IMPL_CORE_NI_OBJECT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref-impl/core/acl_table.h"
#include "ref-impl/core/barrier_state.h"
#include "ref-impl/core/handle.h"
#include "ref-impl/core/list.h"
#include "ref-impl/core/policy.h"
#include "ref-impl/lock.h"
#include "ref-impl/nal/nal.h"

struct match_list;
struct operation;

/* struct ni_config is what an interface is opened with. `member` finds a process of the group by its rank; it must not
 * block. The policy outlives the interface. */
struct ni_config {
    const struct policy *policy;
    uint32_t portals;                      /* entries of the portal table, at least 1 */
    uint32_t accesses;                     /* entries of the access control table, at least 2 */
    uint32_t entries, descriptors, queues; /* at most so many; 0: LIMIT_OBJECTS */
    uint32_t list;                         /* entries of one match list at most; 0: LIMIT_LIST */
    uint32_t pieces;                       /* of a scattered region at most, where the revision has these */
    uint32_t exchange;                     /* octets that an exchange may begin with, likewise */
    uint32_t uid;                          /* user of this process, where the policy asks for that */
    struct wire_portals_id self;
    uint32_t group_size;
    bool (*member)(uint32_t gid, uint32_t rid, struct wire_portals_id *id);
};

enum ni_state { NI_CLOSED, NI_OPENING, NI_OPEN, NI_CLOSING };

struct ni {
    struct lock lock;
    uint32_t number;

    /* These are of one opening, but for the table of handles, whose generations go on. */
    bool whole; /* all of the message that is being handled is here; who takes the lock for one says so */
    enum ni_state state;
    unsigned users; /* calls that have entered */
    struct nal *nal;
    uint64_t handle;
    struct list unlinked;    /* struct md: gone by themselves, which eq_log_unlinked will log */
    struct list operations;  /* struct operation, those without a slot in a queue */
    struct operation *spare; /* memory for the next one, or NULL */
    struct ni_config config;
    struct handle_table objects; /* entries, descriptors, queues */
    struct match_list *portals;  /* config.portals of them */
    struct acl acl;

    /* These, and the number, live as long as the process. */
    int64_t dropped;        /* messages discarded since PtlInit or the last closing */
    uint64_t openings;      /* how often this interface was opened: the generation of its handle */
    pthread_cond_t left;    /* a call left while the interface is closing */
    struct barrier barrier; /* counts on over re-openings, as all members of the group do */
};

/* ni_init - makes a closed interface of that number in memory whose content does not matter;
 * ni_fini - ends one that is closed. The memory stays the caller's. */
void ni_init(struct ni *ni, uint32_t number);
void ni_fini(struct ni *ni);

/* ni_drop - counts one discarded message. Lock held. */
void ni_drop(struct ni *ni);

#endif

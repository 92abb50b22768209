/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Inside the library over pipes: its objects and its messages. One lock guards all of it, and a message is delivered
 * whole under that, so nothing is ever in progress.
 */
#ifndef SUTS_PIPES_LIBRARY_H
#define SUTS_PIPES_LIBRARY_H

#include "tests/suts/pipes/portals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind { KIND_NI = 1, KIND_ME, KIND_MD, KIND_EQ, KINDS };

/* What a library has no more of, and how long an event is under way to its queue. Tables of eight are the least that
 * the test manager begins with. */
#ifdef LATE
enum { PORTALS_MAX = 12, ACCESS_MAX = 8, EVENTS_MAX = 96, PLACES = 80, LATE_MS = 40 };
#else
enum { PORTALS_MAX = 4096, ACCESS_MAX = 250, EVENTS_MAX = 1 << 18, PLACES = 1 << 20, LATE_MS = 0 };
#endif

enum { NODE = 77, GROUP = 4000, FIRST_PID = 100, INTERFACES = PTL_MAX_INTERFACE + 1, RANKS_MAX = 256 };

struct ni;

/* struct object heads every object; `value` is what its handle holds. */
struct object {
    enum kind kind;
    uint64_t value;
    struct ni *ni;
};

struct eq {
    struct object head;
    ptl_event_t *events;
    int64_t *seen_ms; /* when each may be seen */
    size_t size, first, count;
    bool lost;
};

struct md {
    struct object head;
    ptl_md_t value;
    ptl_unlink_t unlink;
    ptl_size_t offset;
    struct me *me; /* NULL: bound */
    struct md *next;
};

struct me {
    struct object head;
    ptl_pt_index_t portal;
    ptl_process_id_t id;
    ptl_match_bits_t bits, ignored;
    ptl_unlink_t unlink;
    struct md *descriptors;
    struct me *next;
};

struct access {
    bool open;
    ptl_process_id_t id;
    ptl_pt_index_t portal;
};

struct ni {
    struct object head;
    unsigned number;
    ptl_pt_index_t portals;
    ptl_ac_index_t entries;
    struct me **lists;
    struct access *access;
    unsigned barriers;
};

enum operation { OPERATION_PUT = 1, OPERATION_ACK, OPERATION_GET, OPERATION_REPLY, OPERATION_ENTER, OPERATION_LEAVE };

/* struct message stands before the data in a pipe; both ends are the same program on the same machine. */
struct message {
    uint32_t operation, interface, from, to, portal, cookie;
    uint64_t bits, offset, descriptor, wanted, moved, octets;
};

struct library {
    bool up;
    unsigned rank, size;
    struct ni *interfaces[INTERFACES];
    ptl_sr_value_t drops[INTERFACES];
    unsigned entered[INTERFACES], left[INTERFACES]; /* of barriers: who has come, at rank 0; how many are over */
};

extern struct library library;

/* ---- lock.c ---- */

/* enter takes the lock; leave gives it back, and `code`. wait_for_progress gives it back until something may have
 * happened. wake says that something has. */
void enter(void);
int leave(int code);
void wait_for_progress(void);
void wake(void);

/* now_ms is a clock that never goes back. */
int64_t now_ms(void);

/* ---- objects.c ---- */

/* object_new makes an object of so many octets with a handle; object_end takes its handle away and frees it.
 * object_find gives the live object of that kind, or NULL. */
void *object_new(enum kind kind, size_t octets, struct ni *ni);
void object_end(void *object);
void *object_find(enum kind kind, uint64_t value);

/* object_of gives any object of that kind of the interface, or NULL. memory_is_there asks the system whether the first
 * and the last octet can be read. */
void *object_of(enum kind kind, const struct ni *ni);
bool memory_is_there(const void *start, size_t octets);

#ifdef NARROW
#define VALUE(handle)        ((uint64_t)(unsigned)(handle))
#define HANDLE(type, object) ((type)((object)->head.value))
#else
#define VALUE(handle)        ((handle).bits)
#define HANDLE(type, object) ((type){(object)->head.value})
#endif

/* ---- lists.c ---- */

/* descriptor_end takes a descriptor out of its list, if it is in one, and frees it; `with_entry`: its entry too, when
 * that was made so and has become empty. */
void descriptor_end(struct md *md, bool with_entry);

/* entry_end and interface_end do so with all that belongs to them. */
void entry_end(struct me *me);
void interface_end(struct ni *ni);

/* descriptor_check gives PTL_OK, or PTL_ILL_MD for what cannot become a descriptor of this interface. */
int descriptor_check(const ptl_md_t *value, const struct ni *ni);

/* ---- identity.c ---- */

/* identity_of gives all ids of a process of the job. */
ptl_process_id_t identity_of(unsigned rank);

/* identity_is_valid tells whether it is one at all; identity_fits whether this process is meant, wildcards too. */
bool identity_is_valid(const ptl_process_id_t *id);
bool identity_fits(const ptl_process_id_t *wanted, unsigned rank);

/* identity_rank gives the process of the job, or -1. */
int identity_rank(const ptl_process_id_t *id);

/* ---- deliver.c ---- */

/* deliver takes a message whose data is at `data`. log_event puts an event about it into the descriptor's queue. */
void deliver(const struct message *message, const void *data);
void log_event(const struct md *md, ptl_event_kind_t type, const struct message *message, unsigned initiator);

/* ---- events.c ---- */

/* queue_end takes a queue's handle away and frees it with its events. */
void queue_end(struct eq *eq);

/* ---- pipes.c ---- */

/* pipes_open joins the job that the environment names; false when it cannot. pipes_close leaves it. */
bool pipes_open(void);
void pipes_close(void);

/* pipes_send takes a copy of the data and never waits. */
void pipes_send(const struct message *message, const void *data);

/* pipes_step moves what can be moved; whether there was something. pipes_wait waits a moment for more, without the
 * lock. pipes_flush sends what somebody takes, for two seconds at most. */
bool pipes_step(void);
void pipes_wait(void);
void pipes_flush(void);

#endif

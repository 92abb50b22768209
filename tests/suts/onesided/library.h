/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Inside a library of Portals 3.3 without messages: all that a process has stands in memory that the whole job shares,
 * under one lock. Who puts or gets looks into the tables of its target by itself, moves the octets from process to
 * process, and logs the events of both.
 */
#ifndef SUTS_ONESIDED_LIBRARY_H
#define SUTS_ONESIDED_LIBRARY_H

#include "tests/suts/onesided/choices.h"
#include "tests/suts/onesided/portals3.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PORTALS = FEW ? 9 : 24,
    ACCESS = FEW ? 4 : 12,
    ENTRIES = FEW ? 30 : 100,
    LIST_MOST = FEW ? 12 : 40,
    DESCRIPTORS = FEW ? 20 : 60,
    QUEUES = FEW ? 4 : 9,
    EVENTS = FEW ? 100 : 300,
    SWAP_MOST = FEW ? 8 : 40
};
enum { RANKS = 160, NODE = 12, FIRST_PID = 40, RING = 512, NOTHING = -1 };

enum kind { KIND_NI = 1, KIND_ME, KIND_MD, KIND_EQ };

/* struct place heads whatever has a handle; `life` tells those apart that had the place one after the other. */
struct place {
    bool used;
    unsigned life;
};

struct eq {
    struct place place;
    uint64_t logged, taken, told; /* events so far: into the ring, out of it, to the handler */
    unsigned size;
    bool lost;
    ptl_eq_handler_t handler;
    ptl_event_t ring[RING];
};

struct md {
    struct place place;
    ptl_md_t value;
    ptl_unlink_t unlink;
    ptl_size_t offset;
    bool spent;
    int me; /* NOTHING: bound */
};

struct me {
    struct place place;
    ptl_process_id_t id;
    ptl_match_bits_t bits, ignored;
    ptl_unlink_t unlink;
    int portal, md, next;
};

struct access {
    bool open;
    ptl_process_id_t id;
    ptl_uid_t uid;
    ptl_jid_t jid;
    ptl_pt_index_t portal;
};

struct rank {
    bool open; /* the interface */
    struct place ni;
    int os_pid;
    ptl_process_id_t id;
    ptl_uid_t uid;
    ptl_sr_value_t drops, pushed, pulled;
    unsigned links;
    int lists[PORTALS];
    struct access access[ACCESS];
    struct me entries[ENTRIES];
    struct md descriptors[DESCRIPTORS];
    struct eq queues[QUEUES];
};

struct job {
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool made;
    unsigned size;
    ptl_jid_t jid;
    struct rank ranks[RANKS];
};

extern struct job *job;
extern struct rank *self;
extern bool up;

/* ---- job.c ---- */

/* lock and leave stand around each call; leave gives back `code`. job_join maps the job's memory and finds this process
 * in it; false where the launcher has not prepared it. */
void lock(void);
int leave(int code);
bool job_join(void);

/* copy moves octets from one process to another, and says whether both had them. */
bool copy(const struct rank *from, const void *source, const struct rank *to, void *sink, ptl_size_t octets);

/* ---- places.c ---- */

/* handle_of gives the handle of an object, of whichever process. */
ptl_handle_any_t handle_of(enum kind kind, const void *object);

/* me_of, md_of and eq_of give the object of this process that the handle names, or NULL; ni_of says whether it is the
 * interface, any_of whether it is any of these. */
struct me *me_of(ptl_handle_any_t handle);
struct md *md_of(ptl_handle_any_t handle);
struct eq *eq_of(ptl_handle_any_t handle);
bool ni_of(ptl_handle_any_t handle);
bool any_of(ptl_handle_any_t handle);

/* me_new, md_new and eq_new take a place that is free; NULL: all are used. */
struct me *me_new(void);
struct md *md_new(void);
struct eq *eq_new(void);

/* entry_end and descriptor_end take an object out of its owner's lists; a descriptor takes an entry along that was made
 * so. interface_end does so with all of this process. */
void entry_end(struct rank *rank, struct me *me);
void descriptor_end(struct rank *rank, struct md *md);
void interface_end(void);

/* ---- events.c ---- */

/* An event in both its halves: where, and what they say. */
struct note {
    struct rank *rank;
    struct md *md;
    unsigned link;
    ptl_event_t event;
};

/* note_log puts the event of that kind into the queue of its descriptor, where there is one that wants it. */
void note_log(const struct note *note, ptl_event_kind_t kind);

/* count_down takes one from the threshold; is_full says that a descriptor has no room for what it must have room for;
 * settle ends one that is used up or full. */
void count_down(struct note *note);
bool is_full(const struct md *md);
void settle(const struct note *note);

/* handlers_stop ends the thread that calls the handlers of queues. */
void handlers_stop(void);

#define ENTER                                                                                                          \
    do {                                                                                                               \
        lock();                                                                                                        \
        if (!up) {                                                                                                     \
            return leave(PTL_NO_INIT);                                                                                 \
        }                                                                                                              \
    } while (0)

#endif

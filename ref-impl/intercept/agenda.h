/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Virtual time: what is to happen, in the order of its time. Everybody who acts has one entry, which says when next;
 * two with the same time act in the order in which they were added, so that every run with the same seed is the same.
 */
#ifndef REF_IMPL_INTERCEPT_AGENDA_H
#define REF_IMPL_INTERCEPT_AGENDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct intercept_agenda;

/* struct intercept_entry is somebody who acts. The first two members are the owner's, the others the agenda's. */
struct intercept_entry {
    void (*act)(void *owner, uint64_t now_ns);
    void *owner;
    uint64_t due_ns; /* 0: it does not wait */
    size_t place;    /* in the heap, from 1; 0: it is not in it */
    uint32_t order;
};

/* struct intercept_agenda - begin with intercept_agenda_begin. */
struct intercept_agenda {
    struct intercept_entry **heap; /* from 1 on */
    size_t count, room;
    uint32_t added;
    uint64_t now_ns;
    uint64_t acts; /* how often somebody has acted */
};

/* intercept_agenda_begin - an agenda for that many entries. False: no memory.
 * intercept_agenda_end - frees it. */
bool intercept_agenda_begin(struct intercept_agenda *agenda, size_t room);
void intercept_agenda_end(struct intercept_agenda *agenda);

/* intercept_agenda_add - makes an entry one of the agenda's. */
void intercept_agenda_add(struct intercept_agenda *agenda, struct intercept_entry *entry,
                          void (*act)(void *owner, uint64_t now_ns), void *owner);

/* intercept_agenda_set - the entry acts at that time, or now where it has passed, and not at the time set before. */
void intercept_agenda_set(struct intercept_agenda *agenda, struct intercept_entry *entry, uint64_t due_ns);

/* intercept_agenda_due - when the next one acts; UINT64_MAX: nobody waits. */
uint64_t intercept_agenda_due(const struct intercept_agenda *agenda);

/* intercept_agenda_step - lets the next one act. False: nobody waits, or nobody up to `until_ns`. */
bool intercept_agenda_step(struct intercept_agenda *agenda, uint64_t until_ns);

#endif

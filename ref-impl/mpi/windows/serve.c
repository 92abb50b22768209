/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The target of one-sided communication: see serve.h. All accumulates of a process are done here, one after the other,
 * in the order in which each process has begun them, which makes them atomic and ordered; so are those that fetch, and
 * the locks. What is in a slot comes from another process and is checked before it is used.
 */
#include "ref-impl/mpi/windows/serve.h"

#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/window.h"

static unsigned answering; /* answers with octets that have not left yet */

static void answer(int rid, unsigned slot)
{
    local_must(PtlPut(windows_device.nothing, PTL_NOACK_REQ, local_process(rid), LOCAL_ANSWERS, LOCAL_COOKIE, slot, 0));
}

/* Answers that the window has no such octets. */
static void refuse(int rid, unsigned slot)
{
    local_must(PtlPut(windows_device.nothing, PTL_NOACK_REQ, local_process(rid), LOCAL_ANSWERS, LOCAL_COOKIE,
                      slot + WINDOW_SLOTS, 0));
}

/* Answers with octets that stay until the answer has left. */
static void answer_with(int rid, unsigned slot, void *octets, size_t len)
{
    ptl_handle_md_t *descriptor = malloc(sizeof(*descriptor));
    ptl_md_t moved = {
        .start = octets,
        .length = len,
        .threshold = 1,
        .eventq = windows_device.asked,
        .user_ptr = descriptor,
    };

    if (!descriptor) {
        world_abort(1, "there is no memory to answer who fetches from a window");
    }
    local_must(PtlMDBind(local_device.interface, moved, descriptor));
    answering++;
    local_must(PtlPut(*descriptor, PTL_NOACK_REQ, local_process(rid), LOCAL_ANSWERS, LOCAL_COOKIE, slot,
                      window_slot_offset(windows_device.self, slot)));
}

static void answer_left(const ptl_event_t *event)
{
    ptl_handle_md_t *descriptor = event->mem_desc.user_ptr;

    local_must(PtlMDUnlink(*descriptor));
    free(descriptor);
    answering--;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* How many octets from an address on are attached as one region. Lock held. */
static uint64_t attached_from(const struct mpi_win *win, uint64_t address)
{
    const struct window_region *region;
    uint64_t most = 0;

    LIST_FOREACH(region, &win->regions, link)
    {
        uint64_t within = address - (uintptr_t)region->base;

        if (address >= (uintptr_t)region->base && within < region->octets && region->octets - within > most) {
            most = region->octets - within;
        }
    }
    return most;
}

/* Whether so many octets are attached, be it as several regions. Lock held. */
static bool is_attached(const struct mpi_win *win, uint64_t address, uint64_t octets)
{
    for (uint64_t more; octets > 0; address += more, octets -= more) {
        more = attached_from(win, address);
        if (more == 0 || more >= octets) {
            return more != 0;
        }
    }
    return true;
}

/* So many octets of the window from an offset on, or NULL: it does not have them all. Lock held. */
static unsigned char *place(const struct mpi_win *win, uint64_t offset, uint64_t octets)
{
    if (win->flavor != MPI_WIN_FLAVOR_DYNAMIC) {
        return offset <= (uint64_t)win->size && octets <= (uint64_t)win->size - offset
                   ? (unsigned char *)win->base + offset
                   : NULL;
    }
    return is_attached(win, offset, octets) ? (unsigned char *)(uintptr_t)offset : NULL;
}

/* The operands of a window may stand at any address, those of a loop may not. */
static void accumulate(unsigned char *at, const struct window_ask *ask, const void *operands)
{
    static alignas(max_align_t) unsigned char result[WINDOW_OPERAND_OCTETS];

    if ((uintptr_t)at % alignof(max_align_t) == 0) {
        op_apply_row(ask->op, ask->row, ask->octets, operands, at);
        return;
    }
    memcpy(result, at, ask->octets);
    op_apply_row(ask->op, ask->row, ask->octets, operands, result);
    memcpy(at, result, ask->octets);
}

static void swap(unsigned char *at, const struct window_ask *ask, const unsigned char *operands)
{
    if (memcmp(at, operands, ask->fetched) == 0) {
        memcpy(at, operands + ask->fetched, ask->fetched);
    }
}

/* Does what is asked; what was fetched is stored. False: the window has no such octets. Lock held. */
static bool operate(const struct mpi_win *win, const struct window_ask *ask, unsigned char *fetched)
{
    bool swaps = ask->wish == WINDOW_SWAP;
    uint32_t octets = ask->octets > ask->fetched && !swaps ? ask->octets : ask->fetched;
    unsigned char *at = octets <= WINDOW_OPERAND_OCTETS ? place(win, ask->offset, octets) : NULL;

    if (!at || (swaps && ask->octets != 2 * (uint64_t)ask->fetched)) {
        return false;
    }
    memcpy(fetched, at, ask->fetched);
    if (swaps) {
        swap(at, ask, ask->operands);
    } else {
        accumulate(at, ask, ask->operands);
    }
    return true;
}

/* ---- locks ------------------------------------------------------------------------------------------------------ */

static bool can_hold(const struct window_lock *lock, const struct window_waiter *waiter)
{
    const struct window_waiter *holder = TAILQ_FIRST(&lock->holding);

    return !holder || (!holder->exclusive && !waiter->exclusive);
}

/* Gives the lock to those who have waited longest, as far as they can have it together. */
static void grant(struct window_lock *lock)
{
    struct window_waiter *waiter;

    while ((waiter = TAILQ_FIRST(&lock->waiting)) && can_hold(lock, waiter)) {
        TAILQ_REMOVE(&lock->waiting, waiter, link);
        TAILQ_INSERT_TAIL(&lock->holding, waiter, link);
        answer(waiter->rid, waiter->slot);
    }
}

static void lock_for(struct window_lock *lock, int rid, unsigned slot, bool exclusive)
{
    struct window_waiter *waiter = malloc(sizeof(*waiter));

    if (!waiter) {
        world_abort(1, "there is no memory to note who waits for the lock of a window");
    }
    *waiter = (struct window_waiter){.rid = rid, .slot = slot, .exclusive = exclusive};
    TAILQ_INSERT_TAIL(&lock->waiting, waiter, link);
    grant(lock);
}

static void unlock_for(struct window_lock *lock, int rid)
{
    struct window_waiter *holder = TAILQ_FIRST(&lock->holding);

    while (holder && holder->rid != rid) {
        holder = TAILQ_NEXT(holder, link);
    }
    if (holder) {
        TAILQ_REMOVE(&lock->holding, holder, link);
        free(holder);
        grant(lock);
    }
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

/* The question at the begin of so many octets, or NULL: there is none that is whole. */
static struct window_ask *whole(unsigned char *at, size_t len)
{
    struct window_ask *ask = (void *)at;

    return len >= sizeof(*ask) && ask->octets <= len - sizeof(*ask) ? ask : NULL;
}

/* Does all that is asked in a slot, in its order. What is fetched is laid into the slot when all is done: nobody else
 * writes there until the answer has come. It is empty where nothing is fetched, and a refusal where the window of any
 * question has no such octets. Lock held. */
static void serve_all(int rid, unsigned slot, unsigned char *octets, size_t len)
{
    static alignas(max_align_t) unsigned char results[WINDOW_SLOT_OCTETS];
    struct window_ask *ask;
    size_t done = 0, fetched = 0;
    bool good = true;

    while (done < len && (ask = whole(octets + done, len - done))) {
        const struct mpi_win *win = window_of_slot(ask->window);

        good &= win && ask->wish <= WINDOW_SWAP && ask->fetched <= sizeof(results) - fetched &&
                operate(win, ask, results + fetched);
        fetched += good ? ask->fetched : 0;
        done += window_ask_octets(ask->octets);
    }
    if (!good || done < len) {
        refuse(rid, slot);
    } else if (fetched > 0) {
        answer_with(rid, slot, memcpy(octets, results, fetched), fetched);
    } else {
        answer(rid, slot);
    }
}

static void serve(int rid, unsigned slot, unsigned char *octets, size_t len)
{
    const struct window_ask *ask = (void *)octets;
    struct mpi_win *win;

    pthread_mutex_lock(&windows_device.lock);
    win = window_of_slot(ask->window);
    switch (win ? ask->wish : (uint32_t)WINDOW_UNLOCK) {
    case WINDOW_LOCK_SHARED:
    case WINDOW_LOCK_EXCLUSIVE:
        lock_for(&win->lock, rid, slot, ask->wish == WINDOW_LOCK_EXCLUSIVE);
        break;
    case WINDOW_ACCUMULATE:
    case WINDOW_SWAP:
        serve_all(rid, slot, octets, len);
        break;
    default:
        if (win) {
            unlock_for(&win->lock, rid);
        }
        answer(rid, slot);
        break;
    }
    pthread_mutex_unlock(&windows_device.lock);
}

/* Where the questions are that an event tells of, or NULL: not in a slot of their sender, or not whole. */
static unsigned char *questions(const ptl_event_t *event, unsigned *slot)
{
    ptl_size_t number = event->offset / WINDOW_SLOT_OCTETS;
    unsigned char *octets = windows_device.slots + event->offset;

    if (event->offset % WINDOW_SLOT_OCTETS || number / WINDOW_SLOTS != event->initiator.rid ||
        event->mlength > WINDOW_SLOT_OCTETS || !whole(octets, event->mlength)) {
        return NULL;
    }
    *slot = (unsigned)(number % WINDOW_SLOTS);
    return octets;
}

bool serve_event(const ptl_event_t *event)
{
    unsigned char *octets;
    unsigned slot;

    if (event->type == PTL_EVENT_SENT) {
        answer_left(event);
    } else if (event->mlength == 0 && (int)event->initiator.rid == windows_device.self) {
        return false;
    } else if ((octets = questions(event, &slot))) {
        serve((int)event->initiator.rid, slot, octets, event->mlength);
    }
    return true;
}

bool serve_owes(void)
{
    return answering > 0;
}

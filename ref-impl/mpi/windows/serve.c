/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The thread at the target of one-sided communication: it does what needs a processor there, so that the program need
 * not call. All accumulates of a process go through it, one after the other, which makes them atomic; so do the locks.
 * What is in a slot comes from another process and is checked before it is used.
 */
#include <stdlib.h>
#include <string.h>

#include "ref-impl/mpi/collectives/op.h"
#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/mpi/windows/window.h"

static void answer(int rid, unsigned slot)
{
    local_must(PtlPut(windows_device.nothing, PTL_NOACK_REQ, local_process(rid), LOCAL_ANSWERS, LOCAL_COOKIE, slot, 0));
}

/* The operands of a window may stand at any address, those of a loop may not. */
static void accumulate(const struct mpi_win *win, const struct window_ask *ask)
{
    static alignas(16) unsigned char result[WINDOW_OPERAND_OCTETS];
    unsigned char *at;

    if (ask->octets > WINDOW_OPERAND_OCTETS || ask->offset > (uint64_t)win->size ||
        ask->octets > (uint64_t)win->size - ask->offset) {
        return;
    }
    at = (unsigned char *)win->base + ask->offset;
    memcpy(result, at, ask->octets);
    op_apply_row(ask->op, ask->row, ask->octets, ask->operands, result);
    memcpy(at, result, ask->octets);
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

static void serve(int rid, unsigned slot, const struct window_ask *ask)
{
    struct mpi_win *win;

    pthread_mutex_lock(&windows_device.lock);
    win = window_of_slot(ask->window);
    switch (win ? ask->wish : (uint32_t)WINDOW_UNLOCK) {
    case WINDOW_LOCK_SHARED:
    case WINDOW_LOCK_EXCLUSIVE:
        lock_for(&win->lock, rid, slot, ask->wish == WINDOW_LOCK_EXCLUSIVE);
        break;
    case WINDOW_ACCUMULATE:
        accumulate(win, ask);
        answer(rid, slot);
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

/* The question that an event tells of, or NULL: it is not in a slot of its sender, or not whole. */
static const struct window_ask *question(const ptl_event_t *event, unsigned *slot)
{
    ptl_size_t number = event->offset / WINDOW_SLOT_OCTETS;
    const struct window_ask *ask = (const void *)(windows_device.slots + event->offset);

    if (event->offset % WINDOW_SLOT_OCTETS || number / WINDOW_SLOTS != event->initiator.rid ||
        event->mlength < sizeof(*ask) || event->mlength > WINDOW_SLOT_OCTETS ||
        ask->octets > event->mlength - sizeof(*ask)) {
        return NULL;
    }
    *slot = (unsigned)(number % WINDOW_SLOTS);
    return ask;
}

void *serve_asks(void *unused)
{
    const struct window_ask *ask;
    ptl_event_t event;
    unsigned slot;

    for (;;) {
        local_must(PtlEQWait(windows_device.asked, &event));
        if (event.mlength == 0 && (int)event.initiator.rid == windows_device.self) {
            return unused;
        }
        ask = question(&event, &slot);
        if (ask) {
            serve((int)event.initiator.rid, slot, ask);
        }
    }
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who does what others ask of this process's windows: see attend.h.
 */
#include "ref-impl/mpi/windows/attend.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ref-impl/mpi/common/world.h"
#include "ref-impl/mpi/local/state.h"
#include "ref-impl/mpi/windows/serve.h"
#include "ref-impl/mpi/windows/state.h"
#include "ref-impl/nal/drive.h"

enum {
    ENOUGH_WAITS = 8,    /* that have ended while the program looked, one after the other */
    QUIET_ASIDES = 1000, /* without any question */
};

enum turn { TURN_THREAD, TURN_FREE, TURN_PROGRAM };

static _Atomic enum turn turn;  /* whose it is */
static _Atomic bool offered;    /* something has been asked lately: the program is to look */
static _Atomic uint32_t waits;  /* how often the program has begun to wait, or looked */
static _Atomic uint32_t awake;  /* how many of its last waits have ended while it looked */
static _Atomic uint32_t served; /* questions, by the program */
static _Atomic uint32_t aside;  /* the thread stands aside; it sleeps there */

static bool turn_try(enum turn whose)
{
    enum turn found = TURN_FREE;

    return atomic_load_explicit(&turn, memory_order_relaxed) == TURN_FREE &&
           atomic_compare_exchange_strong(&turn, &found, whose);
}

/* ---- the program's thread ---------------------------------------------------------------------------------------- */

/* Counts what only the program's thread counts. */
static void count(_Atomic uint32_t *times)
{
    atomic_store_explicit(times, atomic_load_explicit(times, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* Does all that has been asked. With the turn. */
static void serve_all(void)
{
    ptl_event_t event;
    int code;

    while ((code = PtlEQGet(windows_device.asked, &event)) != PTL_EQ_EMPTY) {
        local_must_(code, "PtlEQGet of questions");
        (void)serve_event(&event);
        count(&served);
    }
}

void attend_look(void)
{
    if (!atomic_load_explicit(&offered, memory_order_relaxed)) {
        return;
    }
    count(&waits);
    if (turn_try(TURN_PROGRAM)) {
        serve_all();
        atomic_store(&turn, TURN_FREE);
    }
}

/* The program is about to sleep: the thread does not stand aside any more. Who says so looks whether the thread sleeps
 * only then, and that one says that it will before it looks whether it may. */
static void call_thread(void)
{
    atomic_store(&awake, 0);
    if (atomic_exchange(&aside, 0) != 0) {
        (void)syscall(SYS_futex, &aside, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

/* Looks for an event, and for questions, as long as one looks before one sleeps. */
static int look(ptl_handle_eq_t queue, ptl_event_t *event)
{
    static struct drive_spin spin;
    bool has_turn = false;
    int code;

    if (spin.budget_us == 0) {
        drive_spin_init(&spin, (uint32_t)world_now()->native);
    }
    count(&waits);
    drive_spin_begin(&spin);
    while ((code = PtlEQGet(queue, event)) == PTL_EQ_EMPTY && drive_spin_again(&spin)) {
        has_turn = has_turn || turn_try(TURN_PROGRAM);
        if (has_turn) {
            serve_all();
        }
    }
    drive_spin_end(&spin, code != PTL_EQ_EMPTY);
    if (has_turn) {
        atomic_store(&turn, TURN_FREE);
    }
    return code;
}

int attend_wait(ptl_handle_eq_t queue, ptl_event_t *event)
{
    int code = atomic_load_explicit(&offered, memory_order_relaxed) ? look(queue, event) : PTL_EQ_EMPTY;

    if (code != PTL_EQ_EMPTY) {
        count(&awake);
        return code;
    }
    call_thread();
    return PtlEQWait(queue, event);
}

static void turn_of_waiting(bool sleeps)
{
    if (sleeps) {
        call_thread();
    } else {
        count(&awake);
        attend_look();
    }
}

const struct beside attend_beside = {.look = attend_look, .turn = turn_of_waiting};

/* ---- the other thread -------------------------------------------------------------------------------------------- */

/* Sleeps for a moment, unless the program does. */
static void sleep_aside(void)
{
    struct timespec time = {0, ATTEND_ASIDE_US * 1000L};

    atomic_store(&aside, 1);
    if (atomic_load(&awake) > 0) {
        (void)syscall(SYS_futex, &aside, FUTEX_WAIT_PRIVATE, 1, &time, NULL, 0);
    }
    atomic_store(&aside, 0);
}

/* Leaves the turn to the program as long as that looks, and is asked. */
static void stand_aside(void)
{
    uint32_t waits_seen, served_seen;
    int quiet = 0;
    bool looks;

    atomic_store(&turn, TURN_FREE);
    do {
        waits_seen = atomic_load(&waits);
        served_seen = atomic_load(&served);
        sleep_aside();
        looks = atomic_load(&waits) != waits_seen && atomic_load(&awake) > 0;
        quiet = atomic_load(&served) == served_seen ? quiet + 1 : 0;
    } while ((looks && quiet < QUIET_ASIDES) || !turn_try(TURN_THREAD));
    if (quiet >= QUIET_ASIDES) {
        atomic_store(&offered, false);
    }
}

void *attend_asks(void *unused)
{
    bool goes_on = true;
    ptl_event_t event;

    while (goes_on || serve_owes()) {
        local_must(PtlEQWait(windows_device.asked, &event));
        goes_on = serve_event(&event) && goes_on;
        atomic_store(&offered, true);
        if (goes_on && atomic_load(&awake) >= ENOUGH_WAITS) {
            stand_aside();
        }
    }
    return unused;
}

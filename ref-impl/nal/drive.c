/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Who drives a network, and how long one looks before one sleeps: see drive.h.
 */
#include "ref-impl/nal/drive.h"

#include "ref-impl/clock.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SPIN_BEGIN_US = 50,
    PROBE_WAITS = 32,   /* one in so many looks for SPIN_BEGIN_US again */
    STOLEN_US = 200,    /* between two looks: the processor was another's */
    PENALTY_LEAST = 64, /* so many waits then sleep at once, and the next time twice as many */
    PENALTY_MOST = 1 << 14,
    LOOKS_A_CLOCK = 32, /* looks between two readings of the clock, ... */
    YIELDS_A_CLOCK = 8, /* ... where the processor is yielded between them */
    LOOKS_EAGER = 512,  /* at first one right after the other: an answer from a process that runs is here by then */
    LOOKS_MOST = 4096,  /* where sleeping is not allowed: the caller then looks whether it still waits */
    TAKE_TRIES = 64,    /* looks at a turn that the progress thread has */
    CLAIM_LOOKS = 64,   /* at a turn that is claimed, one right after the other */
    CLAIM_TRIES = 512,  /* all looks: between the others the processor is given away */
};

enum wait_kind { WAIT_UNKNOWN, WAIT_ADAPTIVE, WAIT_SPIN, WAIT_SLEEP };

/* ---- spinning ---------------------------------------------------------------------------------------------------- */

/* What ASSAY_WAIT says; anything else counts as adaptive. */
static enum wait_kind wait_kind(void)
{
    static _Atomic enum wait_kind known;

    if (known == WAIT_UNKNOWN) {
        const char *said = getenv("ASSAY_WAIT");

        known = said && strcmp(said, "spin") == 0    ? WAIT_SPIN
                : said && strcmp(said, "sleep") == 0 ? WAIT_SLEEP
                                                     : WAIT_ADAPTIVE;
    }
    return known;
}

/* How many processors the job has on this node. Its launcher may have bound each process to one, itself not. */
static uint32_t processors(void)
{
    const pid_t process[] = {0, getppid()};
    cpu_set_t set;
    int most = 1;

    for (size_t i = 0; i < sizeof process / sizeof process[0]; i++) {
        if (sched_getaffinity(process[i], sizeof set, &set) == 0 && CPU_COUNT(&set) > most) {
            most = CPU_COUNT(&set);
        }
    }
    return (uint32_t)most;
}

void drive_spin_init(struct drive_spin *spin, uint32_t processes)
{
    *spin =
        (struct drive_spin){.crowded = processes > processors(), .budget_us = SPIN_BEGIN_US, .punished = PENALTY_LEAST};
}

static void processor_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

void drive_spin_begin(struct drive_spin *spin)
{
    spin->looks = 0;
    spin->begun_ns = 0;
    if (++spin->waits % PROBE_WAITS == 0 && spin->budget_us < SPIN_BEGIN_US) {
        spin->budget_us = SPIN_BEGIN_US;
    }
}

/* The machine is busy with other things. */
static bool spin_punish(struct drive_spin *spin)
{
    spin->budget_us = DRIVE_SPIN_LEAST_US;
    spin->penalty = spin->punished;
    spin->punished = spin->punished < PENALTY_MOST ? 2 * spin->punished : PENALTY_MOST;
    return false;
}

/* Whether the time to look is not over. Reads the clock. */
static bool spin_in_time(struct drive_spin *spin)
{
    uint64_t now = clock_now_ns();

    if (spin->begun_ns == 0) {
        spin->begun_ns = spin->looked_ns = now;
        return true;
    }
    if (now - spin->looked_ns > STOLEN_US * 1000u) {
        return spin_punish(spin);
    }
    spin->looked_ns = now;
    return now - spin->begun_ns < (uint64_t)spin->budget_us * 1000u;
}

bool drive_spin_may_sleep(void)
{
    return wait_kind() != WAIT_SPIN;
}

bool drive_spin_again(struct drive_spin *spin)
{
    enum wait_kind kind = wait_kind();
    bool again = kind == WAIT_SPIN && spin->looks < LOOKS_MOST;

    if (kind == WAIT_ADAPTIVE && spin->penalty == 0) {
        again = spin->looks % (spin->crowded ? YIELDS_A_CLOCK : LOOKS_A_CLOCK) != 0 || spin_in_time(spin);
    }
    if (!again) {
        return false;
    }
    spin->looks++;
    if (spin->crowded) {
        sched_yield();
    } else if (spin->looks > LOOKS_EAGER) {
        processor_relax();
    }
    return true;
}

void drive_spin_end(struct drive_spin *spin, bool found)
{
    if (spin->penalty > 0) {
        spin->penalty--;
    } else if (spin->begun_ns == 0) {
        return; /* it was there at once: nothing to learn */
    } else if (found) {
        uint64_t enough_us = (spin->looked_ns - spin->begun_ns) / 250; /* four times as long as it took */

        spin->punished = PENALTY_LEAST;
        spin->budget_us = enough_us > spin->budget_us ? (uint32_t)enough_us : spin->budget_us;
        spin->budget_us = spin->budget_us < DRIVE_SPIN_MOST_US ? spin->budget_us : DRIVE_SPIN_MOST_US;
    } else {
        spin->budget_us = spin->budget_us / 2 > DRIVE_SPIN_LEAST_US ? spin->budget_us / 2 : DRIVE_SPIN_LEAST_US;
    }
}

/* ---- the turn ---------------------------------------------------------------------------------------------------- */

enum { TURN_FREE, TURN_CALLER, TURN_THREAD };

/* What the progress thread does while callers drive: see drive_thread_aside. */
enum { REST_NONE, REST_ASIDE, REST_DORMANT };

void drive_init(struct drive *drive, uint32_t processes)
{
    *drive = (struct drive){.aside_us = DRIVE_ASIDE_LEAST_US};
    drive_spin_init(&drive->spin, processes);
}

/* Who counts at the same time may be counted once: that somebody does it is all that matters. */
static void count(_Atomic uint32_t *times)
{
    atomic_store_explicit(times, atomic_load_explicit(times, memory_order_relaxed) + 1, memory_order_relaxed);
}

void drive_look(struct drive *drive)
{
    count(&drive->taken);
}

void drive_send(struct drive *drive)
{
    count(&drive->sent);
}

/* Takes the turn where it is free. */
static bool turn_try(struct drive *drive, uint32_t whose)
{
    uint32_t found = TURN_FREE;

    return atomic_load_explicit(&drive->turn, memory_order_relaxed) == TURN_FREE &&
           atomic_compare_exchange_strong(&drive->turn, &found, whose);
}

/* The same for a caller. */
static bool turn_try_caller(struct drive *drive)
{
    if (!turn_try(drive, TURN_CALLER)) {
        return false;
    }
    drive_look(drive);
    return true;
}

bool drive_take(struct drive *drive)
{
    for (int i = 0; i < TAKE_TRIES && !atomic_load_explicit(&drive->claimed, memory_order_relaxed); i++) {
        if (turn_try_caller(drive)) {
            return true;
        }
        if (atomic_load(&drive->turn) == TURN_CALLER) {
            return false;
        }
        processor_relax();
    }
    return false;
}

bool drive_claim_begin(struct drive *drive)
{
    bool sleeps = atomic_load(&drive->asleep) || !drive_spin_may_sleep();

    return sleeps && atomic_load(&drive->turn) == TURN_CALLER && !atomic_exchange(&drive->claimed, true);
}

bool drive_claim_end(struct drive *drive)
{
    bool taken = turn_try_caller(drive);

    for (int i = 0; i < CLAIM_TRIES && !taken; i++) {
        if (i < CLAIM_LOOKS) {
            processor_relax();
        } else {
            sched_yield();
        }
        taken = turn_try_caller(drive);
    }
    atomic_store(&drive->claimed, false);
    return taken;
}

/* Wakes the progress thread if it sleeps so. */
static void thread_rouse(struct drive *drive, uint32_t rest)
{
    if (atomic_load(&drive->rest) == rest && atomic_compare_exchange_strong(&drive->rest, &rest, REST_NONE)) {
        (void)syscall(SYS_futex, &drive->rest, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

/* Whether a caller relies on the progress thread, as no other caller drives. */
static bool thread_is_relied_on(struct drive *drive)
{
    return atomic_load(&drive->relied) && atomic_load(&drive->turn) != TURN_CALLER;
}

void drive_give(struct drive *drive)
{
    atomic_store(&drive->turn, TURN_FREE);
    thread_rouse(drive, REST_DORMANT);
    if (atomic_load(&drive->relied)) {
        thread_rouse(drive, REST_ASIDE);
    }
}

void drive_rely(struct drive *drive)
{
    atomic_store(&drive->relied, true);
    if (thread_is_relied_on(drive)) {
        thread_rouse(drive, REST_ASIDE);
    }
}

void drive_sleeps(struct drive *drive, bool asleep)
{
    atomic_store(&drive->asleep, asleep);
}

bool drive_looks_soon(struct drive *drive)
{
    return atomic_load(&drive->soon) && !atomic_load(&drive->asleep);
}

bool drive_thread_take(struct drive *drive)
{
    return !atomic_load(&drive->claimed) && turn_try(drive, TURN_THREAD);
}

void drive_thread_give(struct drive *drive)
{
    atomic_store(&drive->turn, TURN_FREE);
}

bool drive_thread_spared(struct drive *drive)
{
    uint32_t taken = atomic_load(&drive->taken), sent = atomic_load(&drive->sent);
    bool driven = taken != drive->seen || atomic_load(&drive->turn) == TURN_CALLER;
    bool spared = driven || sent != drive->sent_seen;

    if (thread_is_relied_on(drive)) {
        atomic_store(&drive->relied, false);
        spared = false;
    }
    if (!spared) {
        atomic_store(&drive->soon, false);
    }
    drive->still = taken == drive->seen;
    drive->seen = taken;
    drive->sent_seen = sent;
    drive->aside_us = !driven || !spared                          ? DRIVE_ASIDE_LEAST_US
                      : drive->aside_us < DRIVE_ASIDE_MOST_US / 2 ? 2 * drive->aside_us
                                                                  : DRIVE_ASIDE_MOST_US;
    return spared;
}

/* It says how it will sleep before it looks whether it may: the caller gives the turn back, and says that it relies on
 * others, before it looks for a sleeper. So one of the two sees the other. */
void drive_thread_aside(struct drive *drive)
{
    struct timespec time = {0, (long)drive->aside_us * 1000};

    if (drive->still && atomic_load(&drive->asleep)) {
        atomic_store(&drive->soon, false);
        atomic_store(&drive->rest, REST_DORMANT);
        if (atomic_load(&drive->asleep) && atomic_load(&drive->turn) == TURN_CALLER) {
            (void)syscall(SYS_futex, &drive->rest, FUTEX_WAIT_PRIVATE, REST_DORMANT, NULL, NULL, 0);
            atomic_store(&drive->rest, REST_NONE);
            return;
        }
    }
    atomic_store(&drive->soon, true);
    atomic_store(&drive->rest, REST_ASIDE);
    if (!thread_is_relied_on(drive)) {
        (void)syscall(SYS_futex, &drive->rest, FUTEX_WAIT_PRIVATE, REST_ASIDE, &time, NULL, 0);
    }
    atomic_store(&drive->rest, REST_NONE);
}

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waiting for the network: see gate.h.
 */
#include "ref-impl/core/gate.h"

#include "ref-impl/lock.h"
#include "ref-impl/nal/nal.h"

/* The gate at which this thread waits and drives: it need not be told what it has done itself. */
static _Thread_local const struct gate *driven;

void gate_init(struct gate *gate, struct lock *lock, struct nal **nal)
{
    *gate = (struct gate){.lock = lock, .nal = nal};
    pthread_cond_init(&gate->changed, NULL);
}

void gate_destroy(struct gate *gate)
{
    pthread_cond_destroy(&gate->changed);
}

/* Sleeps until something has changed since there had been so many changes. */
static void sleep_since(struct gate *gate, unsigned told)
{
    gate->sleeping++;
    nal_drive_rely(*gate->nal);
    while (gate->told == told) {
        lock_wait(gate->lock, &gate->changed);
    }
    gate->sleeping--;
}

/* Who claims the turn may have been told meanwhile, and the one who gave way may have heard that in its place: hence
 * the look at `told`. */
void gate_await(struct gate *gate, bool first)
{
    struct nal *nal = *gate->nal;
    unsigned told = gate->told;
    bool drives = nal_drive_take(nal);

    if (!drives && !(first && nal_can_be_driven(nal))) {
        sleep_since(gate, told);
        return;
    }
    gate->driving++;
    driven = gate;
    lock_give(gate->lock);
    drives = drives || nal_drive_claim(nal);
    if (drives && gate->told == told) {
        nal_drive(nal, true);
    }
    if (drives) {
        nal_drive_give(nal);
    }
    lock_take(gate->lock);
    driven = NULL;
    gate->driving--;
    if (!drives) {
        sleep_since(gate, told);
    }
}

void gate_poll(struct gate *gate)
{
    struct lock *lock = gate->lock; /* the gate itself may go meanwhile */
    struct nal *nal = *gate->nal;

    if (nal_drive_due(nal) && nal_drive_take(nal)) {
        lock_give(lock);
        nal_drive(nal, false);
        nal_drive_give(nal);
        lock_take(lock);
    }
}

/* Counts a change. Only who has the lock does, so that it need not be one step. */
static void count(struct gate *gate)
{
    unsigned told = atomic_load_explicit(&gate->told, memory_order_relaxed);

    atomic_store_explicit(&gate->told, told + 1, memory_order_release);
}

/* Makes the one who drives look at what another thread has done. */
static void tell_driver(const struct gate *gate)
{
    if (gate->driving > 0 && driven != gate) {
        nal_drive_wake(*gate->nal);
    }
}

void gate_tell(struct gate *gate)
{
    count(gate);
    if (gate->sleeping > 0) {
        pthread_cond_signal(&gate->changed);
    }
    tell_driver(gate);
}

void gate_tell_all(struct gate *gate)
{
    count(gate);
    pthread_cond_broadcast(&gate->changed);
    tell_driver(gate);
}

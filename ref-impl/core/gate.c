/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Waiting for the network: see gate.h.
 */
#include "ref-impl/core/gate.h"

#include "ref-impl/nal/nal.h"

/* The gate at which this thread waits and drives: it need not be told what it has done itself. */
static _Thread_local const struct gate *driven;

void gate_init(struct gate *gate, pthread_mutex_t *lock, struct nal **nal)
{
    *gate = (struct gate){.lock = lock, .nal = nal};
    pthread_cond_init(&gate->changed, NULL);
}

void gate_destroy(struct gate *gate)
{
    pthread_cond_destroy(&gate->changed);
}

void gate_await(struct gate *gate)
{
    struct nal *nal = *gate->nal;

    if (!nal_drive_take(nal)) {
        gate->sleeping++;
        pthread_cond_wait(&gate->changed, gate->lock);
        gate->sleeping--;
        return;
    }
    gate->driving++;
    driven = gate;
    pthread_mutex_unlock(gate->lock);
    nal_drive(nal, true);
    pthread_mutex_lock(gate->lock);
    driven = NULL;
    gate->driving--;
    nal_drive_give(nal);
}

void gate_poll(struct gate *gate)
{
    pthread_mutex_t *lock = gate->lock; /* the gate itself may go meanwhile */
    struct nal *nal = *gate->nal;

    if (nal_drive_take(nal)) {
        pthread_mutex_unlock(lock);
        nal_drive(nal, false);
        pthread_mutex_lock(lock);
        nal_drive_give(nal);
    }
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
    if (gate->sleeping > 0) {
        pthread_cond_signal(&gate->changed);
    }
    tell_driver(gate);
}

void gate_tell_all(struct gate *gate)
{
    pthread_cond_broadcast(&gate->changed);
    tell_driver(gate);
}

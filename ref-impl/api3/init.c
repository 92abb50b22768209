/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation and cleanup: PtlInit, PtlFini.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "ref-impl/api3/handler.h"
#include "ref-impl/api3/later.h"
#include "ref-impl/core/limits.h"
#include "ref-impl/core/ni_open.h"
#include "ref-impl/job/job.h"

static atomic_bool is_open;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER; /* one PtlInit, PtlNIInit or PtlFini at a time */

bool api3_is_open(void)
{
    return atomic_load_explicit(&is_open, memory_order_acquire);
}

bool api3_begin_opening(ptl_pid_t pid)
{
    bool taken;

    pthread_mutex_lock(&changing);
    if (!api3_is_open()) {
        return false; /* another thread has called PtlFini */
    }
    taken = pid == PTL_PID_ANY || pid == job_self()->pid || (!ni_any_open() && job_take_pid(pid));
    if (!taken && job_open() != JOB_OK) {
        atomic_store_explicit(&is_open, false, memory_order_release);
    }
    return taken;
}

void api3_end_opening(void)
{
    pthread_mutex_unlock(&changing);
}

API int PtlInit(int *max_interfaces)
{
    int code = PTL_OK;

    if (max_interfaces && !address_is_good(max_interfaces, sizeof(*max_interfaces), ADDRESS_WRITE)) {
        return PTL_SEGV;
    }
    pthread_mutex_lock(&changing);
    if (!api3_is_open() && job_open() != JOB_OK) {
        code = PTL_FAIL;
    } else {
        atomic_store_explicit(&is_open, true, memory_order_release);
    }
    pthread_mutex_unlock(&changing);
    if (code == PTL_OK && max_interfaces) {
        *max_interfaces = LIMIT_INTERFACES;
    }
    return code;
}

API void PtlFini(void)
{
    pthread_mutex_lock(&changing);
    if (api3_is_open()) {
        atomic_store_explicit(&is_open, false, memory_order_release);
        ni_close_all();
        handler_join_all();
        job_close();
    }
    pthread_mutex_unlock(&changing);
}

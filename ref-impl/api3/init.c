/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation and cleanup: PtlInit, PtlFini.
 */
#include <pthread.h>
#include <revision.h>
#include <stdatomic.h>

#include "ref-impl/api3/handler.h"
#include "ref-impl/api3/later.h"
#include "ref-impl/core/limits.h"
#include "ref-impl/core/ni_open.h"
#include "ref-impl/job/job.h"

static atomic_bool is_open;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER; /* one PtlInit, PtlNIInit or PtlFini at a time */
static pthread_once_t watching = PTHREAD_ONCE_INIT;

bool api3_is_open(void)
{
    return atomic_load_explicit(&is_open, memory_order_acquire);
}

/* In a process that was forked: the threads and connections of the library are its parent's (job.h). */
static void close_in_child(void)
{
    atomic_store_explicit(&is_open, false, memory_order_release);
    pthread_mutex_init(&changing, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, close_in_child);
}

bool api3_begin_opening(ptl_pid_t pid)
{
    ptl_process_id_t wanted = {.pid = pid};
    bool taken, first;

    pthread_mutex_lock(&changing);
    if (!api3_is_open()) {
        return false; /* another thread has called PtlFini */
    }
    first = !ni_any_open();
    if (first && pid == PTL_PID_ANY && job_is_alone()) {
        revision_declared(&wanted);
    }
    pid = wanted.pid;
    taken = pid == PTL_PID_ANY || pid == job_self()->pid || (first && job_take_place(wanted.nid, pid));
    if (!taken && job_open() != JOB_OK) {
        atomic_store_explicit(&is_open, false, memory_order_release);
    }
    return taken;
}

void api3_end_opening(void)
{
    pthread_mutex_unlock(&changing);
}

//= ICPT-257
API int PtlInit(int *max_interfaces)
{
    int code = PTL_OK;

    if (max_interfaces && !address_is_good(max_interfaces, sizeof(*max_interfaces), ADDRESS_WRITE)) {
        return PTL_SEGV;
    }
    pthread_once(&watching, watch_forks);
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

/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Initialisation and cleanup: chapter 3.3, PtlInit and PtlFini.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "ref-impl/api/api.h"
#include "ref-impl/core/ni_open.h"
#include "ref-impl/job/job.h"

static atomic_bool is_open;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER; /* one PtlInit or PtlFini at a time */
static pthread_once_t watching = PTHREAD_ONCE_INIT;

bool api_is_open(void)
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

API int PtlInit(void)
{
    int code = PTL_OK;

    pthread_once(&watching, watch_forks);
    pthread_mutex_lock(&changing);
    if (!api_is_open()) { //= P30-055
        if (job_open() == JOB_OK) {
            atomic_store_explicit(&is_open, true, memory_order_release); //= P30-053 P30-056
        } else {
            code = PTL_FAIL;
        }
    }
    pthread_mutex_unlock(&changing);
    return code;
}

API void PtlFini(void)
{
    pthread_mutex_lock(&changing);
    if (api_is_open()) {
        atomic_store_explicit(&is_open, false, memory_order_release);
        ni_close_all(); //= P30-057
        job_close();
    }
    pthread_mutex_unlock(&changing);
}

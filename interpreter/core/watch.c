/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * A thread that sleeps until the nearest deadline. It allocates nothing and takes no lock that anybody holds while the
 * library runs, so a library that hangs inside malloc is noticed like any other. No timer signal is used: SIGALRM
 * belongs to the library under test. specs/interpreter.md, section 2.2.
 */
#include "watch.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "../common/report.h"
#include "../common/times.h"
#include "notice.h"
#include "output.h"

static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t watch_wake;
static long long watch_until_ms; /* lock: when the watchdog will look again; 0: when it is told to */

/* report_hang is the end of the process. */
static void report_hang(const struct executor *executor)
{
    struct notice notice = {.len = 0};
    const char *function = executor->function;

    notice_add(&notice, "! hang function=");
    notice_add(&notice, function ? function : "none");
    notice_add(&notice, " id=");
    notice_add_number(&notice, executor->id);
    notice_add(&notice, " ms=");
    notice_add_number(&notice, executor->deadline_ms);
    output_notice(&notice);
    _exit(EXIT_HUNG);
}

/* nearest finds who is due first; needs the lock. */
static struct executor *nearest(void)
{
    struct executor *first = NULL;

    for (size_t i = 0; i < EXECUTORS; i++) {
        struct executor *executor = executor_at(i);
        if (executor->used && executor->due_ms && (!first || executor->due_ms < first->due_ms))
            first = executor;
    }
    return first;
}

static void *watch_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&watch_lock);
    for (;;) {
        struct executor *executor = nearest();
        struct timespec until;
        if (!executor) {
            watch_until_ms = 0;
            pthread_cond_wait(&watch_wake, &watch_lock);
            continue;
        }
        if (executor->due_ms <= times_now_ms())
            report_hang(executor);
        watch_until_ms = executor->due_ms;
        until.tv_sec = (time_t)(executor->due_ms / 1000);
        until.tv_nsec = (long)(executor->due_ms % 1000) * 1000000;
        pthread_cond_timedwait(&watch_wake, &watch_lock, &until);
    }
    return NULL;
}

bool watch_open(void)
{
    pthread_condattr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    int error;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch_wake, &attributes);
    pthread_condattr_destroy(&attributes);
    /* signals that the library expects must not land here */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, NULL, watch_main, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

void watch_begin(struct executor *executor, unsigned long id, unsigned long deadline_ms)
{
    pthread_mutex_lock(&watch_lock);
    executor->id = id;
    executor->deadline_ms = deadline_ms;
    executor->due_ms = times_now_ms() + (long long)deadline_ms;
    if (watch_until_ms == 0 || executor->due_ms < watch_until_ms)
        pthread_cond_signal(&watch_wake);
    pthread_mutex_unlock(&watch_lock);
}

void watch_end(struct executor *executor)
{
    pthread_mutex_lock(&watch_lock);
    executor->due_ms = 0;
    executor->id = 0;
    pthread_mutex_unlock(&watch_lock);
}

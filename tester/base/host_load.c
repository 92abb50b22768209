/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Measuring how busy this machine is (host_load.h). Every SAMPLE_MS a thread looks how late it is woken, and how many
 * threads of the whole machine want to run now (/proc/loadavg, or the file that ASSAY_LOADAVG names): with n of them on
 * p processors each has p/n of the time. A single look says little, many looks say how it was.
 */
#include "tester/base/host_load.h"

#include "tester/base/clock.h"
#include "tester/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_MS = 50, LATE_MS = 5, MEAN_OF = 20, US = 1000 };

struct host_load {
    pthread_t thread;
    int fd;    /* of the file; -1: this system has none, and only lateness is seen */
    bool told; /* somebody has named the file: only what it says counts */
    long processors;
    pthread_mutex_t lock; /* guards `over` */
    pthread_cond_t changed;
    bool over;
    atomic_llong lost_us;
    atomic_uint slows; /* in tenths, a mean of the last samples */
};

/* How many threads want to run, but for this one; 0 when that is not known. */
static long wanting(const struct host_load *load)
{
    char text[128];
    long running = 0;
    ssize_t len = load->fd < 0 ? -1 : pread(load->fd, text, sizeof text - 1, 0);

    if (len <= 0) {
        return 0;
    }
    text[len] = 0;
    return sscanf(text, "%*s %*s %*s %ld/", &running) == 1 && running > 1 ? running - 1 : 0;
}

/* Notes what was lost since `then`. */
static void take_sample(struct host_load *load, int64_t then_us)
{
    int64_t passed = clock_now_us() - then_us, late = passed - SAMPLE_MS * US;
    long threads = wanting(load);
    int64_t shared = threads > load->processors ? passed - passed * load->processors / threads : 0;
    bool woken_late = !load->told && late > LATE_MS * US && late > shared;
    int64_t lost = woken_late ? late : shared;

    unsigned now = lost < passed ? (unsigned)(10 * passed / (passed - lost)) : 10 * HOST_LOAD_SLOWS_MOST;

    now = now < 10 * HOST_LOAD_SLOWS_MOST ? now : 10 * HOST_LOAD_SLOWS_MOST;
    atomic_fetch_add(&load->lost_us, lost);
    atomic_store(&load->slows, (atomic_load(&load->slows) * (MEAN_OF - 1) + now) / MEAN_OF);
}

/* Waits until the next sample is due; false when there is to be none. */
static bool await_next(struct host_load *load)
{
    struct timespec due;

    clock_gettime(CLOCK_MONOTONIC, &due);
    due.tv_nsec += SAMPLE_MS * US * 1000L;
    if (due.tv_nsec >= 1000000000L) {
        due.tv_sec++;
        due.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&load->lock);
    while (!load->over && pthread_cond_timedwait(&load->changed, &load->lock, &due) != ETIMEDOUT) {
    }
    bool goes_on = !load->over;
    pthread_mutex_unlock(&load->lock);
    return goes_on;
}

static void *measure(void *context)
{
    struct host_load *load = context;

    for (int64_t then = clock_now_us(); await_next(load); then = clock_now_us()) {
        take_sample(load, then);
    }
    return NULL;
}

struct host_load *host_load_open(void)
{
    struct host_load *load = memory_zero(sizeof *load);
    pthread_condattr_t monotonic;

    atomic_store(&load->slows, 10);
    load->processors = sysconf(_SC_NPROCESSORS_ONLN);
    load->processors = load->processors > 0 ? load->processors : 1;
    const char *named = getenv("ASSAY_LOADAVG");
    load->told = named != NULL;
    load->fd = open(named ? named : "/proc/loadavg", O_RDONLY | O_CLOEXEC);
    pthread_mutex_init(&load->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&load->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&load->thread, NULL, measure, load) != 0) {
        load->over = true;
    }
    return load;
}

void host_load_close(struct host_load *load)
{
    pthread_mutex_lock(&load->lock);
    bool measured = !load->over;
    load->over = true;
    pthread_cond_signal(&load->changed);
    pthread_mutex_unlock(&load->lock);
    if (measured) {
        pthread_join(load->thread, NULL);
    }
    if (load->fd >= 0) {
        close(load->fd);
    }
    pthread_cond_destroy(&load->changed);
    pthread_mutex_destroy(&load->lock);
    free(load);
}

int64_t host_load_lost(struct host_load *load)
{
    return atomic_load(&load->lost_us) / US;
}

unsigned host_load_slows(struct host_load *load)
{
    unsigned tenths = atomic_load(&load->slows);

    return tenths < 10 ? 1 : (tenths + 5) / 10;
}

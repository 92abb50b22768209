/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The library's one lock, and who drives it. Without IDLE a thread does, so that messages are served whatever the
 * application does; with it only calls do, which Portals does not allow.
 */
#include "tests/suts/pipes/library.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 5000000, SECOND_NS = 1000000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

struct library library;

int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void wake(void)
{
    pthread_cond_broadcast(&woken);
}

#ifdef IDLE

void enter(void)
{
    pthread_mutex_lock(&lock);
    while (library.up && pipes_step()) {
    }
}

void wait_for_progress(void)
{
    pthread_mutex_unlock(&lock);
    usleep(200);
    enter();
}

static int start_driver(void)
{
    return PTL_OK;
}

static void stop_driver(void)
{
}

#else

static pthread_t driver;

void enter(void)
{
    pthread_mutex_lock(&lock);
}

void wait_for_progress(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until); /* an event may become visible without anything else happening */
    until.tv_nsec += LOOK_NS;
    until.tv_sec += until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    pthread_cond_timedwait(&woken, &lock, &until);
}

static void *drive(void *nothing)
{
    (void)nothing;
    pthread_mutex_lock(&lock);
    while (library.up) {
        if (!pipes_step()) {
            pthread_mutex_unlock(&lock);
            pipes_wait();
            pthread_mutex_lock(&lock);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int start_driver(void)
{
    return pthread_create(&driver, NULL, drive, NULL) == 0 ? PTL_OK : PTL_FAIL;
}

static void stop_driver(void)
{
    pthread_join(driver, NULL);
}

#endif

int leave(int code)
{
    pthread_mutex_unlock(&lock);
    return code;
}

int PtlInit(void)
{
    enter();
    if (library.up) {
        return leave(PTL_OK);
    }
    library = (struct library){0};
    if (!pipes_open()) {
        return leave(PTL_FAIL);
    }
    library.up = true;
    int code = start_driver();
    library.up = code == PTL_OK;
    return leave(code);
}

void PtlFini(void)
{
    enter();
    if (!library.up) {
        (void)leave(PTL_OK);
        return;
    }
    for (unsigned i = 0; i < INTERFACES; i++) {
        if (library.interfaces[i]) {
            interface_end(library.interfaces[i]);
        }
    }
    pipes_flush();
    library.up = false;
    wake();
    (void)leave(PTL_OK);
    stop_driver();
    enter();
    pipes_close();
    (void)leave(PTL_OK);
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of connections (timeouts.h).
 *
 *     awaited --the whole request is there--> answered --the answer is sent--> awaited ..
 *        \--too late--> shut down
 */
#include "web/http/timeout.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

struct timeout {
    struct timeout *next, *prev;
    int fd;
    bool awaited;
    int64_t late_ms; /* when a request that is awaited must have come */
};

struct timeouts {
    int64_t request_ms;
    pthread_mutex_t lock; /* guards the list and what is in it */
    struct timeout *list;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct timeouts *timeouts_new(unsigned request_seconds)
{
    struct timeouts *timeouts = calloc(1, sizeof *timeouts);

    if (timeouts) {
        timeouts->request_ms = (int64_t)request_seconds * 1000;
        pthread_mutex_init(&timeouts->lock, NULL);
    }
    return timeouts;
}

void timeouts_free(struct timeouts *timeouts)
{
    if (timeouts) {
        pthread_mutex_destroy(&timeouts->lock);
        free(timeouts);
    }
}

struct timeout *timeout_begin(struct timeouts *timeouts, int fd)
{
    struct timeout *timeout = calloc(1, sizeof *timeout);

    if (!timeout) {
        return NULL;
    }
    *timeout = (struct timeout){.fd = fd, .awaited = true, .late_ms = now_ms() + timeouts->request_ms};
    pthread_mutex_lock(&timeouts->lock);
    timeout->next = timeouts->list;
    if (timeout->next) {
        timeout->next->prev = timeout;
    }
    timeouts->list = timeout;
    pthread_mutex_unlock(&timeouts->lock);
    return timeout;
}

void timeout_end(struct timeouts *timeouts, struct timeout *timeout)
{
    if (!timeout) {
        return;
    }
    pthread_mutex_lock(&timeouts->lock);
    if (timeout->prev) {
        timeout->prev->next = timeout->next;
    } else {
        timeouts->list = timeout->next;
    }
    if (timeout->next) {
        timeout->next->prev = timeout->prev;
    }
    pthread_mutex_unlock(&timeouts->lock);
    free(timeout);
}

void timeout_await(struct timeouts *timeouts, struct timeout *timeout, unsigned idle_seconds)
{
    if (timeout) {
        pthread_mutex_lock(&timeouts->lock);
        timeout->awaited = true;
        timeout->late_ms = now_ms() + (int64_t)idle_seconds * 1000 + timeouts->request_ms;
        pthread_mutex_unlock(&timeouts->lock);
    }
}

void timeout_answer(struct timeouts *timeouts, struct timeout *timeout)
{
    if (timeout) {
        pthread_mutex_lock(&timeouts->lock);
        timeout->awaited = false;
        pthread_mutex_unlock(&timeouts->lock);
    }
}

void timeouts_sweep(struct timeouts *timeouts)
{
    int64_t moment_ms = now_ms();

    pthread_mutex_lock(&timeouts->lock);
    for (struct timeout *timeout = timeouts->list; timeout; timeout = timeout->next) {
        if (timeout->awaited && timeout->late_ms <= moment_ms) {
            timeout->awaited = false;
            (void)shutdown(timeout->fd, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&timeouts->lock);
}

/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of connections (visits.h).
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

struct visit {
    struct visit *next, *prev;
    int fd;
    bool awaited;
    int64_t late_ms; /* when a request that is awaited must have come */
};

struct visits {
    int64_t request_ms;
    pthread_mutex_t lock; /* guards the list and what is in it */
    struct visit *list;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct visits *visits_new(unsigned request_seconds)
{
    struct visits *visits = calloc(1, sizeof *visits);

    if (visits) {
        visits->request_ms = (int64_t)request_seconds * 1000;
        pthread_mutex_init(&visits->lock, NULL);
    }
    return visits;
}

void visits_free(struct visits *visits)
{
    if (visits) {
        pthread_mutex_destroy(&visits->lock);
        free(visits);
    }
}

struct visit *visit_begin(struct visits *visits, int fd)
{
    struct visit *visit = calloc(1, sizeof *visit);

    if (!visit) {
        return NULL;
    }
    *visit = (struct visit){.fd = fd, .awaited = true, .late_ms = now_ms() + visits->request_ms};
    pthread_mutex_lock(&visits->lock);
    visit->next = visits->list;
    if (visit->next) {
        visit->next->prev = visit;
    }
    visits->list = visit;
    pthread_mutex_unlock(&visits->lock);
    return visit;
}

void visit_end(struct visits *visits, struct visit *visit)
{
    if (!visit) {
        return;
    }
    pthread_mutex_lock(&visits->lock);
    if (visit->prev) {
        visit->prev->next = visit->next;
    } else {
        visits->list = visit->next;
    }
    if (visit->next) {
        visit->next->prev = visit->prev;
    }
    pthread_mutex_unlock(&visits->lock);
    free(visit);
}

void visit_await(struct visits *visits, struct visit *visit, unsigned idle_seconds)
{
    if (visit) {
        pthread_mutex_lock(&visits->lock);
        visit->awaited = true;
        visit->late_ms = now_ms() + (int64_t)idle_seconds * 1000 + visits->request_ms;
        pthread_mutex_unlock(&visits->lock);
    }
}

void visit_answer(struct visits *visits, struct visit *visit)
{
    if (visit) {
        pthread_mutex_lock(&visits->lock);
        visit->awaited = false;
        pthread_mutex_unlock(&visits->lock);
    }
}

void visits_sweep(struct visits *visits)
{
    int64_t moment_ms = now_ms();

    pthread_mutex_lock(&visits->lock);
    for (struct visit *visit = visits->list; visit; visit = visit->next) {
        if (visit->awaited && visit->late_ms <= moment_ms) {
            visit->awaited = false;
            (void)shutdown(visit->fd, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&visits->lock);
}

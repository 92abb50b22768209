/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Hashing of passwords (hashing.h).
 */
#include "web/http/hashing.h"

#include "web/http/aside.h"
#include "web/service/secret.h"
#include "web/service/service.h"

#include <pthread.h>
#include <stdlib.h>

enum { WAITING_MAX = 32, RETRY_S = 2 };

struct hashing {
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t news;
    bool ending;
    unsigned first, count; /* of those who wait, in a ring */
    struct request *waiting[WAITING_MAX];
};

static void look_at(struct password_work *work)
{
    char none[SECRET_PASSWORD_SIZE];

    work->good = true;
    if (work->said) {
        /* Where there is nothing to compare with it takes the same time: who is a member is not to be found out. */
        work->good = work->hash[0] ? secret_check_password(work->said, work->hash)
                                   : secret_hash_password(work->said, none) && false;
    }
    work->failed = work->good && work->chosen && !secret_hash_password(work->chosen, work->hash);
}

static void *run(void *context)
{
    struct hashing *hashing = context;

    pthread_mutex_lock(&hashing->lock);
    while (!hashing->ending || hashing->count > 0) {
        struct request *request;
        bool ending = hashing->ending;

        if (hashing->count == 0) {
            pthread_cond_wait(&hashing->news, &hashing->lock);
            continue;
        }
        request = hashing->waiting[hashing->first];
        hashing->first = (hashing->first + 1) % WAITING_MAX;
        hashing->count--;
        pthread_mutex_unlock(&hashing->lock);
        if (ending) {
            request->password.left = true;
        } else {
            look_at(&request->password);
        }
        MHD_resume_connection(request->connection);
        pthread_mutex_lock(&hashing->lock);
    }
    pthread_mutex_unlock(&hashing->lock);
    return NULL;
}

struct hashing *hashing_new(void)
{
    struct hashing *hashing = calloc(1, sizeof *hashing);

    if (!hashing) {
        return NULL;
    }
    pthread_mutex_init(&hashing->lock, NULL);
    pthread_cond_init(&hashing->news, NULL);
    if (pthread_create(&hashing->thread, NULL, run, hashing) != 0) {
        pthread_cond_destroy(&hashing->news);
        pthread_mutex_destroy(&hashing->lock);
        free(hashing);
        return NULL;
    }
    return hashing;
}

void hashing_stop(struct hashing *hashing)
{
    bool stopped;

    pthread_mutex_lock(&hashing->lock);
    stopped = hashing->ending;
    hashing->ending = true;
    pthread_cond_signal(&hashing->news);
    pthread_mutex_unlock(&hashing->lock);
    if (!stopped) {
        pthread_join(hashing->thread, NULL);
    }
}

void hashing_free(struct hashing *hashing)
{
    if (hashing) {
        hashing_stop(hashing);
        pthread_cond_destroy(&hashing->news);
        pthread_mutex_destroy(&hashing->lock);
        free(hashing);
    }
}

static void reply_busy(struct request *request)
{
    request->retry_seconds = RETRY_S;
    request_reply_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "busy",
                        "Too many passwords are being compared now, or the service is being stopped: try again.");
}

/* What the server calls when the connection has woken up. */
static void wake(struct request *request)
{
    if (request->password.left) {
        reply_busy(request);
    } else {
        aside_begin(request, request->password.then);
    }
}

void hashing_begin(struct request *request, void (*then)(struct request *request))
{
    struct hashing *hashing = request->service->hashing;
    bool taken;

    pthread_mutex_lock(&hashing->lock);
    taken = !hashing->ending && hashing->count < WAITING_MAX;
    if (taken) {
        request->password.then = then;
        request->then = wake;
        /* It sleeps before the thread can know of it, and cannot wake before. */
        request_sleep(request);
        hashing->waiting[(hashing->first + hashing->count++) % WAITING_MAX] = request;
        pthread_cond_signal(&hashing->news);
    }
    pthread_mutex_unlock(&hashing->lock);
    if (!taken) {
        reply_busy(request);
    }
}

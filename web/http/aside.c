/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Those who wait stand in one list, in the order of their turns. In each turn everybody who wants something has one
 * request: the n-th of somebody who comes now is n turns behind the one that is served.
 */
#include "web/http/aside.h"

#include "web/http/audit.h"
#include "web/http/rate.h"
#include "web/service/service.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    THREADS = 4, /* fewer than the connections that read (database.c): the server's threads find one */
    SHARE = 3,   /* of them, for one account */
    RETRY_S = 5
};

struct aside {
    pthread_t threads[THREADS];
    size_t started;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t news;
    bool ending;
    size_t running; /* threads */
    uint64_t turn;  /* that is served */
    struct request *first;
    uint64_t served[THREADS]; /* whom; 0: nobody */
};

static uint64_t who_asks(const struct request *request)
{
    return request->who.account != 0 ? rate_who_account(request->who.account)
                                     : rate_who_address((const struct sockaddr *)&request->from.client);
}

/* ---- under the lock ---------------------------------------------------------------------------------------------- */

static void enter(struct aside *aside, struct request *request)
{
    struct request **at = &aside->first;

    request->aside.who = who_asks(request);
    request->aside.turn = aside->turn;
    for (const struct request *other = aside->first; other; other = other->aside.next) {
        if (other->aside.who == request->aside.who) {
            request->aside.turn = other->aside.turn + 1;
        }
    }
    while (*at && (*at)->aside.turn <= request->aside.turn) {
        at = &(*at)->aside.next;
    }
    request->aside.next = *at;
    *at = request;
}

static bool has_share(const struct aside *aside, uint64_t who)
{
    size_t count = 0;

    for (size_t i = 0; i < THREADS; i++) {
        count += aside->served[i] == who;
    }
    return count >= SHARE;
}

/* Takes out the first whose account has not its share already; NULL: there is none. */
static struct request *leave(struct aside *aside)
{
    struct request **at = &aside->first, *request;

    while (*at && has_share(aside, (*at)->aside.who)) {
        at = &(*at)->aside.next;
    }
    request = *at;
    if (request) {
        *at = request->aside.next;
        aside->turn = request->aside.turn > aside->turn ? request->aside.turn : aside->turn;
    }
    return request;
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void reply_ending(struct request *request)
{
    request->retry_seconds = RETRY_S;
    request_reply_error(request, MHD_HTTP_SERVICE_UNAVAILABLE, "ending",
                        "The service is being stopped: try again when it has started anew.");
}

/* What the server calls when the connection has woken up. */
static void wake(struct request *request)
{
    if (request->aside.kept && !request_reply_kept(request, NULL)) {
        request->aside.kept = false;
        aside_begin(request, request->aside.handle); /* it had to make room meanwhile */
    } else if (!request->aside.kept) {
        request_queue_held(request);
    }
}

static void serve(struct request *request, bool ending)
{
    request->aside.on = true;
    if (ending) {
        reply_ending(request);
    } else {
        request->aside.handle(request);
        audit_note(request);
    }
    request->aside.on = false;
    MHD_resume_connection(request->connection);
}

static void *run(void *context)
{
    struct aside *aside = context;
    size_t self;

    pthread_mutex_lock(&aside->lock);
    self = aside->running++;
    while (!aside->ending || aside->first) {
        struct request *request = leave(aside);
        bool ending = aside->ending;

        if (!request) {
            pthread_cond_wait(&aside->news, &aside->lock);
            continue;
        }
        aside->served[self] = request->aside.who;
        pthread_mutex_unlock(&aside->lock);
        serve(request, ending);
        pthread_mutex_lock(&aside->lock);
        aside->served[self] = 0;
        pthread_cond_broadcast(&aside->news); /* one more of the same account may be served */
    }
    pthread_mutex_unlock(&aside->lock);
    return NULL;
}

struct aside *aside_new(void)
{
    struct aside *aside = calloc(1, sizeof *aside);

    if (!aside) {
        return NULL;
    }
    pthread_mutex_init(&aside->lock, NULL);
    pthread_cond_init(&aside->news, NULL);
    while (aside->started < THREADS && pthread_create(&aside->threads[aside->started], NULL, run, aside) == 0) {
        aside->started++;
    }
    if (aside->started < THREADS) {
        aside_free(aside);
        return NULL;
    }
    return aside;
}

void aside_stop(struct aside *aside)
{
    pthread_mutex_lock(&aside->lock);
    aside->ending = true;
    pthread_cond_broadcast(&aside->news);
    pthread_mutex_unlock(&aside->lock);
    while (aside->started > 0) {
        pthread_join(aside->threads[--aside->started], NULL);
    }
}

void aside_free(struct aside *aside)
{
    if (aside) {
        aside_stop(aside);
        pthread_cond_destroy(&aside->news);
        pthread_mutex_destroy(&aside->lock);
        free(aside);
    }
}

void aside_begin(struct request *request, void (*handle)(struct request *request))
{
    struct aside *aside = request->service->aside;
    bool taken;

    pthread_mutex_lock(&aside->lock);
    taken = !aside->ending;
    if (taken) {
        request->aside.handle = handle;
        request->then = wake;
        /* It sleeps before a thread can know of it, and cannot wake before. */
        request_sleep(request);
        enter(aside, request);
        pthread_cond_signal(&aside->news);
    }
    pthread_mutex_unlock(&aside->lock);
    if (!taken) {
        reply_ending(request);
    }
}

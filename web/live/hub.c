/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of live views. Lock order: the hub's lock is taken before libmicrohttpd's own, and never under a query.
 */
#include "web/live/hub.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct hub {
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t left;
    struct hub_view *views;
    unsigned count, views_max, account_max;
    bool ending;
};

struct hub *hub_new(unsigned views_max, unsigned account_max)
{
    struct hub *hub = calloc(1, sizeof *hub);

    if (hub) {
        hub->views_max = views_max;
        hub->account_max = account_max;
        pthread_mutex_init(&hub->lock, NULL);
        pthread_cond_init(&hub->left, NULL);
    }
    return hub;
}

void hub_free(struct hub *hub)
{
    if (hub) {
        pthread_cond_destroy(&hub->left);
        pthread_mutex_destroy(&hub->lock);
        free(hub);
    }
}

/* Under the lock. */
static unsigned count_of(const struct hub *hub, int64_t account)
{
    unsigned count = 0;

    for (const struct hub_view *view = hub->views; view; view = view->next) {
        count += view->account == account;
    }
    return count;
}

enum hub_entry hub_enter(struct hub *hub, struct hub_view *view)
{
    enum hub_entry entry = HUB_ENTERED;

    pthread_mutex_lock(&hub->lock);
    if (count_of(hub, view->account) >= hub->account_max) {
        entry = HUB_ACCOUNT_FULL;
    } else if (hub->count >= hub->views_max || hub->ending) {
        entry = HUB_FULL;
    } else {
        view->hub = hub;
        view->next = hub->views;
        hub->views = view;
        hub->count++;
    }
    pthread_mutex_unlock(&hub->lock);
    return entry;
}

void hub_leave(struct hub_view *view)
{
    struct hub *hub = view->hub;
    struct hub_view **at = &hub->views;

    pthread_mutex_lock(&hub->lock);
    while (*at && *at != view) {
        at = &(*at)->next;
    }
    if (*at) {
        *at = view->next;
        hub->count--;
    }
    pthread_cond_broadcast(&hub->left);
    pthread_mutex_unlock(&hub->lock);
}

void hub_look(struct hub_view *view)
{
    pthread_mutex_lock(&view->hub->lock);
    view->news = false;
    pthread_mutex_unlock(&view->hub->lock);
}

bool hub_sleep(struct hub_view *view)
{
    struct hub *hub = view->hub;
    bool asleep;

    pthread_mutex_lock(&hub->lock);
    asleep = !view->news && !hub->ending;
    if (asleep) {
        view->asleep = true;
        MHD_suspend_connection(view->connection);
    }
    pthread_mutex_unlock(&hub->lock);
    return asleep;
}

/* Under the lock. run NULL: all. */
static void resume(struct hub *hub, const char *run)
{
    for (struct hub_view *view = hub->views; view; view = view->next) {
        if (run && strcmp(view->run, run) != 0) {
            continue;
        }
        view->news = true;
        if (view->asleep) {
            view->asleep = false;
            MHD_resume_connection(view->connection);
        }
    }
}

void hub_wake(struct hub *hub, const char *run)
{
    pthread_mutex_lock(&hub->lock);
    resume(hub, run);
    pthread_mutex_unlock(&hub->lock);
}

void hub_tick(struct hub *hub)
{
    hub_wake(hub, NULL);
}

bool hub_ending(struct hub *hub)
{
    bool ending;

    pthread_mutex_lock(&hub->lock);
    ending = hub->ending;
    pthread_mutex_unlock(&hub->lock);
    return ending;
}

void hub_stop(struct hub *hub, unsigned ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&hub->lock);
    hub->ending = true;
    resume(hub, NULL);
    while (hub->count > 0 && pthread_cond_clockwait(&hub->left, &hub->lock, CLOCK_MONOTONIC, &until) == 0) {
    }
    pthread_mutex_unlock(&hub->lock);
}

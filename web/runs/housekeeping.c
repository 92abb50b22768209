/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Writes down the end of runs, again and again where the disk is full, joins the engine's threads, removes folders that
 * are not needed any more, wakes the live views, and ends connections whose requests do not come.
 */
#include "web/runs/housekeeping.h"

#include "web/http/timeout.h"
#include "web/live/hub.h"
#include "web/runs/record_end.h"
#include "web/runs/run.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/evidence_rows.h"

#include <stdlib.h>
#include <time.h>

enum {
    TICK_S = 15,
    SWEEP_S = 2,
    RETRY_S = 2,
    FORGET_S = 3600,
    TRIES_MAX = 150 /* where it is not the disk's fault: 5 minutes */
};

/* Takes one run that is over out of the list; NULL when there is none. Under the lock. */
static struct run *take_over(struct runs *runs)
{
    for (struct run **at = &runs->list; *at; at = &(*at)->next) {
        if ((*at)->over) {
            struct run *run = *at;

            *at = run->next;
            return run;
        }
    }
    return NULL;
}

/* Without the lock. True: done with it. A disk may stay full for long; what else keeps the end from being written, such
 * as another program that holds the database, is waited for a while. After that the run stays as it is until the next
 * start shows it as interrupted. */
static bool clear_up(struct run *run)
{
    struct runs *runs = run->runs;
    enum database_status status;

    if (run->engine) {
        engine_run_join(run->engine);
        run->engine = NULL;
    }
    status = record_end(run);
    if (status == DATABASE_FULL) {
        run_lose(run);
    }
    if (status == DATABASE_FULL || (status != DATABASE_OK && ++run->tries < TRIES_MAX)) {
        return false;
    }
    hub_wake(runs->service->hub, run->id);
    run_remove_folder(run->directory);
    return true;
}

/* Clears up after all runs that are over. Under the lock, which it gives back in between. False: try again later. */
static bool clear_all(struct runs *runs)
{
    struct run *later = NULL, *run;

    while ((run = take_over(runs)) != NULL) {
        bool done;

        pthread_mutex_unlock(&runs->lock);
        done = clear_up(run);
        if (done) {
            run_free(run);
        }
        pthread_mutex_lock(&runs->lock);
        if (!done) {
            run->next = later;
            later = run;
        }
    }
    if (!later) {
        return true;
    }
    for (struct run *last = later;; last = last->next) {
        if (!last->next) {
            last->next = runs->list;
            runs->list = later;
            return false;
        }
    }
}

static void tick(struct service *service, time_t *ticked, time_t *forgot)
{
    time_t now = time(NULL);

    timeouts_sweep(service->timeouts);
    evidence_rows_clean(service->database, service->evidence);
    if (now - *ticked >= TICK_S) {
        hub_tick(service->hub);
        *ticked = now;
    }
    if (now - *forgot >= FORGET_S) {
        account_forget_expired(service->database);
        *forgot = now;
    }
}

void *housekeeping_main(void *context)
{
    struct runs *runs = context;
    time_t ticked = time(NULL), forgot = 0;

    pthread_mutex_lock(&runs->lock);
    while (!runs->ending) {
        struct timespec until;
        bool done;

        pthread_mutex_unlock(&runs->lock);
        tick(runs->service, &ticked, &forgot);
        pthread_mutex_lock(&runs->lock);
        /* From its last look at the list to the wait it holds the lock: no end of a run is missed. */
        done = clear_all(runs);
        pthread_cond_broadcast(&runs->changed); /* runs_stop waits for an empty list */
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += done ? SWEEP_S : RETRY_S;
        if (!runs->ending) {
            pthread_cond_timedwait(&runs->changed, &runs->lock, &until);
        }
    }
    pthread_mutex_unlock(&runs->lock);
    return NULL;
}

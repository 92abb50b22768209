/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * Writes down the end of runs, again and again where the disk is full, joins the engine's threads, removes folders that
 * are not needed any more, wakes the live views, and ends connections whose requests do not come.
 */
#include "web/runs/housekeeping.h"

#include "web/http/audit.h"
#include "web/http/timeout.h"
#include "web/live/hub.h"
#include "web/runs/lease.h"
#include "web/runs/obey.h"
#include "web/runs/record_end.h"
#include "web/runs/retain.h"
#include "web/runs/run.h"
#include "web/runs/suspend.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/evidence_rows.h"
#include "web/store/room.h"

#include <stdlib.h>
#include <time.h>

enum {
    TICK_S = 15,
    SWEEP_S = 2,
    RETRY_S = 2,
    FORGET_S = 3600,
    TRIES_MAX = 150 /* where it is not the disk's fault: 5 minutes */
};

/* Without the lock. True: done with it. A disk may stay full for long; what else keeps the end from being written, such
 * as another program that holds the database, is waited for a while. After that the run stays as it is until somebody
 * cancels it, or the next start shows it as interrupted. */
static bool clear_up(struct run *run, bool unwritten, bool suspending)
{
    struct runs *runs = run->runs;
    enum database_status status = DATABASE_OK;

    if (run->engine) {
        engine_run_join(run->engine);
        run->engine = NULL;
    }
    if (unwritten && suspending) {
        status = record_suspended(run);
    } else if (unwritten) {
        status = record_end(run);
    }
    if (status == DATABASE_FULL || status == DATABASE_AWAY || (status == DATABASE_BROKEN && ++run->tries < TRIES_MAX)) {
        return false;
    }
    hub_wake(runs->service->hub, run->id);
    run_remove_folder(run->directory);
    return true;
}

/* Takes a run out of the list. Under the lock. */
static void take_out(struct runs *runs, const struct run *run)
{
    struct run **at = &runs->list;

    while (*at != run) {
        at = &(*at)->next;
    }
    *at = run->next;
}

/* Clears up after all runs that are over. Under the lock, which it gives back in between: nobody else takes runs out of
 * the list, and new ones come at its head. False: try again later. */
static bool clear_all(struct runs *runs)
{
    bool all = true;

    for (struct run *run = runs->list, *next; run; run = next) {
        bool done = false;

        if (run->over) {
            bool unwritten = !run->recorded && !run->deleted, suspending = run->suspending;

            pthread_mutex_unlock(&runs->lock);
            done = clear_up(run, unwritten, suspending);
            pthread_mutex_lock(&runs->lock);
            done = done && (run->recorded || run->deleted || run->suspending == suspending);
            all = all && done;
        }
        next = run->next;
        if (done) {
            take_out(runs, run);
            run_free(run);
        }
    }
    return all;
}

/* What services that share a database do for each other. Their live views learn of nothing but by looking. */
static void share(struct runs *runs)
{
    if (lease_renew(runs->service) == DATABASE_OK) {
        suspend_recover(runs, false);
        obey_others(runs);
    }
    hub_tick(runs->service->hub);
}

/* Jumps of the time of day change nothing here. */
static time_t now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void tick(struct runs *runs, time_t *ticked, time_t *forgot)
{
    struct service *service = runs->service;
    time_t now = now_s();

    if (*service->name) {
        share(runs);
    }

    timeouts_sweep(service->timeouts);
    evidence_rows_clean(service->database, service->evidence);
    room_tend(service->room);
    suspend_expire(runs);
    if (now - *ticked >= TICK_S) {
        hub_tick(service->hub);
        *ticked = now;
    }
    if (now - *forgot >= FORGET_S) {
        account_forget_expired(service->database);
        audit_forget(service->database);
        retain_expired(service);
        *forgot = now;
    }
}

void *housekeeping_main(void *context)
{
    struct runs *runs = context;
    time_t ticked = now_s(), forgot = ticked - FORGET_S;

    pthread_mutex_lock(&runs->lock);
    while (!runs->ending) {
        struct timespec until;
        bool done;

        pthread_mutex_unlock(&runs->lock);
        tick(runs, &ticked, &forgot);
        pthread_mutex_lock(&runs->lock);
        /* From its last look at the list to the wait it holds the lock: no end of a run is missed. */
        done = clear_all(runs);
        pthread_cond_broadcast(&runs->changed); /* runs_stop waits for an empty list */
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += done ? SWEEP_S : RETRY_S;
        if (!runs->ending) {
            pthread_cond_clockwait(&runs->changed, &runs->lock, CLOCK_MONOTONIC, &until);
        }
    }
    pthread_mutex_unlock(&runs->lock);
    return NULL;
}

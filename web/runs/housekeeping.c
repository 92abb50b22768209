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
#include "web/runs/jump.h"
#include "web/runs/lease.h"
#include "web/runs/obey.h"
#include "web/runs/record_end.h"
#include "web/runs/retain.h"
#include "web/runs/run.h"
#include "web/runs/suspend.h"
#include "web/service/service.h"
#include "web/store/account.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"
#include "web/store/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    TICK_S = 15,
    SWEEP_S = 2,
    RETRY_S = 2,
    FORGET_S = 3600,
    DOUBT_S = 86400, /* after a jump of the time of day nothing is deleted for so long */
    TRIES_MAX = 150  /* where it is not the disk's fault: 5 minutes */
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

/* When what was done last, in seconds of the monotonic clock. */
struct rounds {
    time_t ticked, forget, jumped;
    struct jump_watch watch;
    bool extend; /* suspended runs are to be waited for anew */
};

enum { DAY_SIZE = 32 };

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The time of day, as the database has it, which other services and deadlines go by. */
static bool read_day(struct database *database, char day[static DAY_SIZE], struct jump_look *look)
{
    struct query query;

    look->asked_ms = now_ms();
    query_open_read(&query, database, "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now')");
    *day = '\0';
    if (query_next(&query)) {
        snprintf(day, DAY_SIZE, "%s", query_column_text(&query, 0));
    }
    look->answered_ms = now_ms();
    return query_close(&query) == DATABASE_OK && jump_parse(day, &look->day_ms);
}

/* After a jump nobody's time is up: whoever is waited for has all of it again, other services may say that they live,
 * and the operator may set the clock right before anything is deleted by it. */
static void note_jump(struct rounds *rounds, const struct jump_look *look)
{
    int64_t jump = jump_find(&rounds->watch, look);

    if (jump != 0) {
        fprintf(stderr,
                "assayd: the time of day jumped %s by %lld s: runs wait for their agents anew, and nothing is deleted "
                "by its age for a day\n",
                jump > 0 ? "forward" : "back", (long long)(jump > 0 ? jump : -jump) / 1000);
        rounds->extend = true;
        rounds->jumped = (time_t)(look->answered_ms / 1000);
        rounds->forget = rounds->jumped + DOUBT_S;
    }
}

/* What services that share a database do for each other. Notes about runs that another one has left are told of to
 * nobody: live views find them by looking. */
static void share(struct runs *runs, const struct rounds *rounds, time_t now)
{
    if (lease_renew(runs->service) == DATABASE_OK) {
        if (rounds->jumped == 0 || now - rounds->jumped >= LEASE_S) {
            suspend_recover(runs, false);
        }
        obey_others(runs);
    }
    hub_tick(runs->service->hub);
}

/* Suspended runs that were waited for long enough. */
static void expire(struct runs *runs, struct rounds *rounds, const char *day)
{
    if (rounds->extend && suspend_extend(runs) == DATABASE_OK) {
        rounds->extend = false;
    }
    if (!rounds->extend) {
        suspend_expire(runs, day);
    }
}

static void tick(struct runs *runs, struct rounds *rounds)
{
    struct service *service = runs->service;
    struct jump_look look;
    char day[DAY_SIZE];
    bool is_read = read_day(service->database, day, &look);
    time_t now = (time_t)(look.answered_ms / 1000);

    if (is_read) {
        note_jump(rounds, &look);
    }
    if (*service->name) {
        share(runs, rounds, now);
    }
    timeouts_sweep(service->timeouts);
    evidence_rows_clean(service->database, service->evidence);
    room_tend(service->room);
    if (is_read) {
        expire(runs, rounds, day);
    }
    if (now - rounds->ticked >= TICK_S) {
        hub_tick(service->hub);
        rounds->ticked = now;
    }
    if (now >= rounds->forget) {
        account_forget_expired(service->database);
        audit_forget(service->database);
        retain_expired(service);
        rounds->forget = now + FORGET_S;
    }
}

void *housekeeping_main(void *context)
{
    struct runs *runs = context;
    struct rounds rounds = {.ticked = (time_t)(now_ms() / 1000)};

    pthread_mutex_lock(&runs->lock);
    while (!runs->ending) {
        struct timespec until;
        bool done;

        pthread_mutex_unlock(&runs->lock);
        tick(runs, &rounds);
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

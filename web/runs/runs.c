/*
 * SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026 The Assay authors
 *
 * The list of runs: taken up at the start, paused, cancelled, deleted, left at the end. start.c makes runs.
 */
#include "web/runs/runs.h"

#include "web/http/kept.h"
#include "web/live/hub.h"
#include "web/runs/bundling.h"
#include "web/runs/certificate_log.h"
#include "web/runs/housekeeping.h"
#include "web/runs/lease.h"
#include "web/runs/queue.h"
#include "web/runs/record_left.h"
#include "web/runs/run.h"
#include "web/runs/suspend.h"
#include "web/service/service.h"
#include "web/store/evidence_rows.h"
#include "web/store/query.h"
#include "web/store/room.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Tells the threads that the list is ending, and waits for one of them. */
static void stop(struct runs *runs, pthread_t thread)
{
    pthread_mutex_lock(&runs->lock);
    runs->ending = true;
    pthread_cond_broadcast(&runs->changed);
    pthread_mutex_unlock(&runs->lock);
    pthread_join(thread, NULL);
}

static bool start_threads(struct runs *runs)
{
    if (pthread_create(&runs->bundling, NULL, bundling_main, runs) != 0) {
        return false;
    }
    if (pthread_create(&runs->housekeeping, NULL, housekeeping_main, runs) != 0) {
        stop(runs, runs->bundling);
        return false;
    }
    return true;
}

struct runs *runs_new(struct service *service)
{
    struct runs *runs = calloc(1, sizeof *runs);

    if (!runs) {
        return NULL;
    }
    runs->service = service;
    pthread_mutex_init(&runs->deciding, NULL);
    pthread_mutex_init(&runs->lock, NULL);
    pthread_cond_init(&runs->changed, NULL);
    snprintf(runs->folder, sizeof runs->folder, "%s/runs%s%s", service->data, *service->name ? "." : "", service->name);
    run_remove_folder(runs->folder); /* only what an earlier process could not finish is in there */
    evidence_rows_sweep(service->database, service->evidence);
    if ((*service->name && lease_renew(service) != DATABASE_OK) || suspend_recover(runs, true) != DATABASE_OK ||
        certificate_log_fill(service->database) != DATABASE_OK || (mkdir(runs->folder, 0700) != 0 && errno != EEXIST) ||
        !start_threads(runs)) {
        pthread_cond_destroy(&runs->changed);
        pthread_mutex_destroy(&runs->lock);
        pthread_mutex_destroy(&runs->deciding);
        free(runs);
        return NULL;
    }
    return runs;
}

bool runs_stop(struct runs *runs, unsigned ms)
{
    struct timespec until;
    bool empty;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    pthread_mutex_lock(&runs->lock);
    runs->stopping = true;
    for (struct run *run = runs->list; run; run = run->next) {
        if (!run->over && runs->service->limits.of[LIMIT_AGENT_SECONDS] > 0) {
            engine_run_suspend(run->engine);
        } else if (!run->over) {
            run->interrupted = true;
            engine_run_cancel(run->engine);
        }
    }
    pthread_cond_broadcast(&runs->changed);
    while (runs->list && pthread_cond_clockwait(&runs->changed, &runs->lock, CLOCK_MONOTONIC, &until) == 0) {
    }
    empty = !runs->list;
    pthread_mutex_unlock(&runs->lock);
    return empty;
}

void runs_free(struct runs *runs)
{
    stop(runs, runs->housekeeping);
    stop(runs, runs->bundling);
    if (*runs->service->name) {
        lease_end(runs->service);
    }
    pthread_cond_destroy(&runs->changed);
    pthread_mutex_destroy(&runs->lock);
    pthread_mutex_destroy(&runs->deciding);
    free(runs);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

enum database_status runs_pause(struct runs *runs, const char *id, int64_t account, bool pause, bool *found)
{
    enum database_status status;
    const struct run *run;

    pthread_mutex_lock(&runs->deciding);
    status = suspend_pause(runs, id, pause, found);
    pthread_mutex_lock(&runs->lock);
    queue_leave(&runs->queue, id);
    run = status == DATABASE_OK && *found && pause ? run_find(runs, id) : NULL;
    if (run && !run->over) {
        engine_run_suspend(run->engine);
    }
    pthread_mutex_unlock(&runs->lock);
    pthread_mutex_unlock(&runs->deciding);
    kept_change(runs->service->kept, account);
    hub_wake(runs->service->hub, id);
    return status;
}

static enum database_status delete_row(struct runs *runs, const char *id, int64_t account)
{
    struct query query;

    query_open(&query, runs->service->database, "DELETE FROM runs WHERE id = :id AND account = :account");
    query_text(&query, ":id", id);
    query_number(&query, ":account", account);
    return query_run(&query);
}

enum database_status runs_delete(struct runs *runs, const char *id, int64_t account, bool *under_way)
{
    enum database_status status = DATABASE_OK;
    struct run *run;
    bool here;

    pthread_mutex_lock(&runs->deciding);
    pthread_mutex_lock(&runs->lock);
    run = run_find(runs, id);
    here = run != NULL;
    queue_leave(&runs->queue, id);
    *under_way = run && !run->recorded && !run->over;
    if (run && !*under_way) {
        run->deleted = true;
    }
    pthread_mutex_unlock(&runs->lock);
    *under_way = here ? *under_way : lease_is_other(runs->service, id);
    if (!*under_way) {
        status = delete_row(runs, id, account);
    }
    pthread_mutex_unlock(&runs->deciding);
    if (status == DATABASE_FULL) {
        room_yield(runs->service->room);
        status = delete_row(runs, id, account);
    }
    kept_forget(runs->service->kept, account, id);
    return status;
}

struct runs_count runs_count(struct runs *runs)
{
    struct runs_count count = {0};

    pthread_mutex_lock(&runs->lock);
    for (const struct run *run = runs->list; run; run = run->next) {
        count.under_way += !run->recorded && !run->over;
        count.unwritten += !run->recorded && run->over;
    }
    count.queued = (unsigned)runs->queue.count;
    pthread_mutex_unlock(&runs->lock);
    return count;
}

void runs_storage_problem(struct runs *runs, const char *id, char *problem, size_t problem_octets)
{
    const struct run *run;

    problem[0] = '\0';
    pthread_mutex_lock(&runs->lock);
    run = run_find(runs, id);
    if (run && run->lost > 0) {
        snprintf(problem, problem_octets, "%u items of this run could not be stored: %s.", run->lost, run_lost(run));
    } else if (run && run->over && !run->recorded) {
        snprintf(problem, problem_octets, "The end of this run could not be stored yet; cancel or delete it, or wait.");
    }
    pthread_mutex_unlock(&runs->lock);
}
